package golang

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/wholefile"
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
	if name := settingsFile(f.Value); name != "" {
		f.Content(name)
	}
	return true
}

// settingsFile is where `go env -w` writes; empty where it does not.
func settingsFile(value func(name string) string) string {
	folder := cmp.Or(value("XDG_CONFIG_HOME"), filepath.Join(value("HOME"), ".config"))
	switch runtime.GOOS {
	case "darwin":
		folder = filepath.Join(value("HOME"), "Library", "Application Support")
	case "windows":
		folder = value("APPDATA")
	}
	if name := cmp.Or(value("GOENV"), filepath.Join(folder, "go", "env")); filepath.IsAbs(name) {
		return name
	}
	return "" // off
}

// settings are what the user's `go env -w` says of where modules and caches are. The
// file itself is not read by the commands: a test that writes GOFLAGS there would
// decide what every later measurement compiles.
func settings(value func(name string) string) []string {
	raw, err := wholefile.Read(settingsFile(value))
	if err != nil {
		return nil // most people have none
	}
	var out []string
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		if name, _, ok := strings.Cut(line, "="); ok && slices.Contains(harmless(), name) {
			out = append(out, line)
		}
	}
	return out
}

// harmless are the settings by which no test can make another one pass: what they
// lead to is checked against go.sum, or decides no verdict.
func harmless() []string {
	return []string{
		"GOPATH", "GOMODCACHE", "GOCACHE", "GOTOOLCHAIN",
		"GOPROXY", "GOPRIVATE", "GONOPROXY", "GONOSUMDB", "GOSUMDB", "GOINSECURE", "GOVCS", "GOAUTH",
	}
}

// builds is where go keeps what it built.
func builds(value func(name string) string) []string {
	caches := cmp.Or(value("XDG_CACHE_HOME"), filepath.Join(value("HOME"), ".cache"))
	return []string{cmp.Or(value("GOCACHE"), filepath.Join(caches, "go-build"))}
}

// caches is where go keeps what it fetched.
func caches(value func(name string) string) []string {
	path, _, _ := strings.Cut(cmp.Or(value("GOPATH"), filepath.Join(value("HOME"), "go")), string(filepath.ListSeparator))
	return []string{cmp.Or(value("GOMODCACHE"), filepath.Join(path, "pkg", "mod"))}
}
