package facts

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/git-tdd/git-tdd/internal/envvar"
)

// Dirs are the user's own directories, outside any repository.
type Dirs struct {
	Cache string // workbenches live here; it may be deleted at any time
	State string // the secret that authenticates entries
}

// DefaultDirs finds the directories according to the XDG base directory
// specification, which ignores relative paths.
func DefaultDirs(environ []string) (Dirs, error) {
	cache, err := xdg(environ, "XDG_CACHE_HOME", ".cache")
	if err != nil {
		return Dirs{}, err
	}
	state, err := xdg(environ, "XDG_STATE_HOME", ".local/state")
	return Dirs{Cache: filepath.Join(cache, "git-tdd"), State: filepath.Join(state, "git-tdd")}, err
}

func xdg(environ []string, name, fallback string) (string, error) {
	if dir := envvar.Get(environ, name); filepath.IsAbs(dir) {
		return dir, nil
	}
	home := cmp.Or(envvar.Get(environ, "HOME"), envvar.Get(environ, "USERPROFILE"))
	if !filepath.IsAbs(home) {
		return "", fmt.Errorf("neither %s nor HOME names an absolute directory; set one of them", name)
	}
	return filepath.Join(home, fallback), nil
}
