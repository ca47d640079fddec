package trust

import (
	"cmp"
	"errors"
	"path/filepath"
	"runtime"

	"github.com/git-tdd/git-tdd/internal/envvar"
)

// errNoHome says that the environment names no place for a user's settings.
var errNoHome = errors.New("no directory for your approvals: neither XDG_CONFIG_HOME nor HOME (on Windows APPDATA) is set to an absolute path")

// DefaultDir is where a user's approvals are kept, "git-tdd/trusted" in the
// directory for settings: $XDG_CONFIG_HOME, else $HOME/.config, on every system
// (including macOS, where git itself does the same) except Windows, which has
// %AppData%. environ is a list of KEY=value as from os.Environ. As the XDG
// specification requires, a relative path counts as unset: it would mean a
// directory in the current repository.
func DefaultDir(environ []string) (string, error) {
	return defaultDir(runtime.GOOS, environ)
}

func defaultDir(goos string, environ []string) (string, error) {
	candidates := []string{envvar.Get(environ, "XDG_CONFIG_HOME"), ""}
	if home := envvar.Get(environ, "HOME"); home != "" {
		candidates[1] = filepath.Join(home, ".config")
	}
	if goos == "windows" {
		candidates = []string{cmp.Or(envvar.Get(environ, "APPDATA"), envvar.Get(environ, "AppData"))}
	}
	for _, dir := range candidates {
		if filepath.IsAbs(dir) {
			return filepath.Join(dir, "git-tdd", "trusted"), nil
		}
	}
	return "", errNoHome
}
