package coder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// makeHome makes a home that shows what an agent declares of the user's.
func makeHome(home string, names []string) error {
	users, err := os.UserHomeDir()
	if err != nil {
		users = ""
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	for _, name := range names {
		from, to := filepath.Join(users, name), filepath.Join(home, name)
		if _, err := os.Stat(from); err != nil {
			continue
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.Symlink(from, to)); err != nil {
			return fmt.Errorf("show the agent its settings: %w", err)
		}
	}
	return nil
}

// beside is a path beside the copy.
func (c *Coder) beside(name string) string { return filepath.Join(filepath.Dir(c.dir), ".agent-"+name) }

// environ is the agent's environment.
func (c *Coder) environ() []string { return environ(c.opts.Environ, c.beside("home"), c.run.Env) }

// environ is what programs need of an environment, what is named besides, and
// nothing that leads back to the user's repository. The copy's hooks of agents
// are silent: the history of the copy says nothing of whose turn it is.
func environ(of []string, home string, named []string) []string {
	allowed := append([]string{"PATH", "LANG", "LC_ALL", "TERM", "TZ", "TMPDIR", "SHELL", "USER", "LOGNAME", "SSL_CERT_FILE", "SSL_CERT_DIR"}, named...)
	env := []string{"HOME=" + home, "GIT_TDD=off", "NO_COLOR=1", "CI=1"}
	for _, kv := range of {
		if name, _, _ := strings.Cut(kv, "="); slices.Contains(allowed, name) {
			env = append(env, kv)
		}
	}
	return env
}
