package golang

import (
	"os"
	"path/filepath"

	"github.com/git-tdd/git-tdd/testrun"
)

// identify adds the state of a Go installation and of the user's `go env -w`.
func identify(f testrun.Fingerprint, tool, path string) bool {
	if tool != "go" {
		return false
	}
	root := filepath.Dir(filepath.Dir(path))
	for _, dir := range []string{root, f.Value("GOROOT")} {
		if dir != "" {
			f.File(filepath.Join(dir, "VERSION"))
			f.Content(filepath.Join(dir, "go.env"))
		}
	}
	if _, err := os.Stat(filepath.Join(root, "VERSION")); err != nil || filepath.Base(path) != "go" {
		f.Incomplete()
	}
	home := f.Value("HOME")
	for _, name := range []string{
		f.Value("GOENV"), filepath.Join(f.Value("XDG_CONFIG_HOME"), "go", "env"),
		filepath.Join(home, ".config", "go", "env"), filepath.Join(home, "Library", "Application Support", "go", "env"),
	} {
		if filepath.IsAbs(name) {
			f.Content(name)
		}
	}
	return true
}
