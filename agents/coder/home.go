package coder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// makeHome makes what an agent declares of the user's home be there: within walls, the
// folders in it, as the agent's first start would make them; without, a home of its
// own that leads to them.
func (b *bounds) makeHome() error {
	if err := os.MkdirAll(b.beside("tmp"), 0o700); err != nil {
		return err
	}
	if b.fence == nil {
		return b.linkHome()
	}
	for _, name := range b.run.Home {
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(filepath.Join(b.users(), name), 0o700); err != nil {
				return fmt.Errorf("make the agent's folder: %w", err)
			}
		}
	}
	return nil
}

func (b *bounds) linkHome() error {
	if err := os.MkdirAll(b.home(), 0o700); err != nil {
		return err
	}
	for _, name := range slices.Concat(b.run.Home, b.run.Reads) {
		from, to := filepath.Join(b.users(), name), filepath.Join(b.home(), name)
		_, missing := os.Stat(from)
		if _, err := os.Lstat(to); missing != nil || err == nil { // it may lie in a folder that is there already
			continue
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.Symlink(from, to)); err != nil {
			return fmt.Errorf("show the agent its settings: %w", err)
		}
	}
	return nil
}

// env is what programs need of the user's environment, what is named besides, and
// nothing that leads back to the user's repository. The copy's hooks of agents
// are silent: the history of the copy says nothing of whose turn it is.
func (b *bounds) env(named []string) []string {
	allowed := append([]string{"PATH", "LANG", "LC_ALL", "TERM", "TZ", "SHELL", "USER", "LOGNAME", "SSL_CERT_FILE", "SSL_CERT_DIR"}, named...)
	env := []string{"HOME=" + b.home(), "TMPDIR=" + b.beside("tmp"), "GIT_TDD=off", "NO_COLOR=1", "CI=1"}
	for _, kv := range b.environ {
		if name, _, _ := strings.Cut(kv, "="); slices.Contains(allowed, name) {
			env = append(env, kv)
		}
	}
	return env
}
