package hooks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/gitx"
)

// friendly begins the names of our hooks in git's configuration, its "friendly names".
const friendly = "git-tdd-"

// since is the first version of git that reads hooks there.
const since = "2.54"

// byConfig reports whether git calls the hooks that its configuration names.
func (s site) byConfig() bool { return !gitx.Older(s.git, since) }

// script is the path of the shim that the configuration names, beside the folder of hooks.
func (s site) script(name string) string {
	return filepath.Join(s.Repo.CommonDir, "git-tdd-hooks", name)
}

func key(hook, what string) string { return "hook." + friendly + hook + "." + what }

// command is the script as git's configuration takes it; special characters start a shell.
func (s site) command(name string) string {
	path := filepath.ToSlash(s.script(name))
	if strings.ContainsAny(path, "|&;<>()$`\\\"' \t\n*?[#~=%") {
		return quoted(path)
	}
	return path
}

// configure puts one shim into the configuration, in the place of one in the folder of hooks.
// If somebody else's hook there calls us already, that is enough.
func (s site) configure(ctx context.Context, h *Hook) error {
	text, who, err := read(h.Path)
	if err != nil {
		return err
	}
	if who == stranger && s.calls(h, text) {
		return s.unconfigure(ctx, h)
	}
	if err := displace(h); err != nil || h.Remedy != "" {
		return err
	}
	have, _, err := read(s.script(h.Name))
	if err != nil {
		return err
	}
	if want := s.shim(h.Name, filepath.Dir(s.script(h.Name))); have != want {
		h.Changed = true
		if err := write(s.script(h.Name), want); err != nil {
			return err
		}
	}
	for _, set := range [][2]string{{key(h.Name, "command"), s.command(h.Name)}, {key(h.Name, "event"), h.Name}} {
		if s.named[set[0]] == set[1] {
			continue
		}
		h.Changed = true
		if err := s.Repo.SetConfig(ctx, set[0], set[1]); err != nil {
			return err
		}
		s.named[set[0]] = set[1]
	}
	return nil
}

// unconfigure reverses exactly that. A user's setting that switches the hook
// off is removed too: there is nothing left to switch off.
func (s site) unconfigure(ctx context.Context, h *Hook) error {
	for _, what := range []string{"event", "command", "enabled"} {
		if _, set := s.named[key(h.Name, what)]; !set {
			continue
		}
		h.Changed = true
		if err := s.Repo.UnsetConfig(ctx, key(h.Name, what)); err != nil {
			return err
		}
		delete(s.named, key(h.Name, what))
	}
	err := os.Remove(s.script(h.Name))
	if err == nil {
		h.Changed = true
		_ = os.Remove(filepath.Dir(s.script(h.Name))) // only once it is empty
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("take the shim away: %w", err)
	}
	return nil
}

// lookAtConfig finds the state of a hook in the configuration.
func (s site) lookAtConfig(name string) (state State, remedy string) {
	command, set := s.named[key(name, "command")]
	if !set || s.named[key(name, "event")] == "" {
		return Absent, ""
	}
	fi, err := os.Stat(s.script(name))
	switch {
	case !s.byConfig():
		return Idle, "git " + s.git + " does not read hooks from its configuration: run `git tdd hooks install`"
	case command != s.command(name) || err != nil || fi.Mode()&0o111 == 0:
		return Idle, "the repository has moved, or the shim is gone: run `git tdd hooks install`"
	case saysNo(strings.ToLower(s.named[key(name, "enabled")])):
		return Idle, "git config --unset " + key(name, "enabled")
	}
	return Configured, ""
}
