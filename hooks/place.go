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
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// suffix is added to the name of the former hook.
const suffix = ".before-git-tdd"

// place puts one shim into the folder of hooks.
func (i Installer) place(ctx context.Context, h *Hook) error {
	text, who, err := read(h.Path)
	switch {
	case err != nil:
		return err
	case who == stranger && (i.calls(h, text) || legacyIsOurs(h)):
		return nil // it is called already
	case who == edited:
		h.Remedy = "it is a shim that was changed by hand; it is left alone. To replace it, delete it and install again"
		return nil
	}
	h.Remedy, err = i.unsafe(ctx, h, text)
	if err == nil && h.Remedy == "" && who == stranger {
		h.Remedy, err = keep(h.Path, text)
	}
	if err != nil || h.Remedy != "" {
		return err
	}
	return i.put(h, h.Path)
}

// unsafe says why a hook cannot be put where git looks for it, and what to do instead.
func (i Installer) unsafe(ctx context.Context, h *Hook, text string) (remedy string, err error) {
	line := fmt.Sprintf("git tdd hook %s \"$@\"", h.Name)
	who := whose(text)
	switch {
	case isHusky(i.dir):
		return "husky writes these files anew: add the line `" + line + "` to " + filepath.Join(filepath.Dir(i.dir), h.Name), nil
	case !i.Repo.Contains(i.dir):
		return "core.hooksPath names a folder outside this repository: add the line `" + line + "` to " + h.Path +
			", or unset core.hooksPath here", nil
	case text == "" || who == ours:
		return "", nil
	}
	tracked, err := i.tracked(ctx, h.Path)
	switch {
	case err != nil:
		return "", err
	case tracked:
		return "it is a file of the project: add the line `" + line + "` to it", nil
	case strings.Contains(text, "basename") || strings.Contains(text, "${0##"):
		return "it goes by its own name, so it cannot be renamed: add the line `" + line + "` to it", nil
	}
	return "", nil
}

func (i Installer) tracked(ctx context.Context, name string) (bool, error) {
	rel, err := filepath.Rel(i.Repo.Top, name)
	if err != nil || !filepath.IsLocal(rel) {
		return false, nil //nolint:nilerr // elsewhere, so not tracked
	}
	head, err := i.Repo.Head(ctx)
	if err != nil {
		return false, err
	}
	_, ok, err := i.Repo.Text(ctx, head.Tree, filepath.ToSlash(rel))
	return ok, err
}

// keep renames a stranger's hook, unless another one is kept already.
func keep(path, text string) (remedy string, err error) {
	kept, who, err := read(path + suffix)
	switch {
	case err != nil:
		return "", err
	case who != absent && kept != text:
		return fmt.Sprintf("both it and %s%s are somebody's hooks: delete the one that is not needed, then install again", path, suffix), nil
	}
	if err := os.Rename(path, path+suffix); err != nil {
		return "", fmt.Errorf("keep the hook that is there: %w", err)
	}
	return "", nil
}

// displace removes one shim from the folder of hooks, whoever calls it.
func displace(h *Hook) error {
	for _, path := range []string{h.Path, h.Path + ".legacy"} {
		_, who, err := read(path)
		if err != nil {
			return err
		}
		if who == edited {
			h.Remedy = "it is a shim that was changed by hand; it is left alone. Delete it if it is not needed"
		}
		if who != ours {
			continue
		}
		h.Changed = true
		if err := restore(path, h.Path+suffix); err != nil {
			return err
		}
	}
	return nil
}

// restore puts the former hook where the shim was.
func restore(path, former string) error {
	err := os.Rename(former, path)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.Remove(path)
	}
	if err != nil {
		return fmt.Errorf("take the shim away: %w", err)
	}
	return nil
}

// read returns a hook and whose it is.
func read(name string) (text string, who origin, err error) {
	data, err := wholefile.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", absent, nil
	}
	if err != nil {
		return "", stranger, err
	}
	return string(data), whose(string(data)), nil
}

// put puts a shim in place atomically, unless it is there.
func (i Installer) put(h *Hook, path string) error {
	want := i.shim(h.Name, filepath.Dir(path))
	if have, _, err := read(path); err != nil || have == want {
		return err
	}
	h.Changed = true
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // as git makes it
		return fmt.Errorf("make the folder of the hooks: %w", err)
	}
	if err := wholefile.Write(path, []byte(want), 0o755); err != nil {
		return fmt.Errorf("write the hook: %w", err)
	}
	return nil
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// friendly begins the names of our hooks in git's configuration, its "friendly names".
const friendly = "git-tdd-"

// since is the first version of git that reads hooks there.
const since = "2.54"

// script is the path of the shim that the configuration names, beside the folder of hooks.
func (i Installer) script(name string) string {
	return filepath.Join(i.Repo.CommonDir, "git-tdd-hooks", name)
}

func key(hook, what string) string { return "hook." + friendly + hook + "." + what }

// command is the script as git's configuration takes it; special characters start a shell.
func (i Installer) command(name string) string {
	path := filepath.ToSlash(i.script(name))
	if strings.ContainsAny(path, "|&;<>()$`\\\"' \t\n*?[#~=%") {
		return quoted(path)
	}
	return path
}

// configure puts one shim into the configuration, in the place of one in the folder of hooks.
// If somebody else's hook there calls us already, that is enough.
func (i Installer) configure(ctx context.Context, h *Hook) error {
	text, who, err := read(h.Path)
	if err != nil {
		return err
	}
	if who == stranger && i.calls(h, text) {
		return i.unconfigure(ctx, h)
	}
	if err := displace(h); err != nil || h.Remedy != "" {
		return err
	}
	if err := i.put(h, i.script(h.Name)); err != nil {
		return err
	}
	for _, set := range [][2]string{{key(h.Name, "command"), i.command(h.Name)}, {key(h.Name, "event"), h.Name}} {
		if i.named[set[0]] == set[1] {
			continue
		}
		h.Changed = true
		if err := i.Repo.SetConfig(ctx, set[0], set[1]); err != nil {
			return err
		}
		i.named[set[0]] = set[1]
	}
	return nil
}

// unconfigure reverses exactly that. A user's setting that switches the hook
// off is removed too: there is nothing left to switch off.
func (i Installer) unconfigure(ctx context.Context, h *Hook) error {
	for _, what := range []string{"event", "command", "enabled"} {
		if _, set := i.named[key(h.Name, what)]; !set {
			continue
		}
		h.Changed = true
		if err := i.Repo.UnsetConfig(ctx, key(h.Name, what)); err != nil {
			return err
		}
		delete(i.named, key(h.Name, what))
	}
	switch err := os.Remove(i.script(h.Name)); {
	case err == nil:
		h.Changed = true
		_ = os.Remove(filepath.Dir(i.script(h.Name))) // only once it is empty
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("take the shim away: %w", err)
	}
	return nil
}

// lookAtConfig finds the state of a hook in the configuration.
func (i Installer) lookAtConfig(name string) (state State, remedy string) {
	command, set := i.named[key(name, "command")]
	if !set || i.named[key(name, "event")] == "" {
		return Absent, ""
	}
	fi, err := os.Stat(i.script(name))
	switch {
	case gitx.Older(i.git, since):
		return Idle, "git " + i.git + " does not read hooks from its configuration: run `git tdd hooks install`"
	case command != i.command(name) || err != nil || fi.Mode()&0o111 == 0:
		return Idle, "the repository has moved, or the shim is gone: run `git tdd hooks install`"
	case saysNo(strings.ToLower(i.named[key(name, "enabled")])):
		return Idle, "git config --unset " + key(name, "enabled")
	}
	return Configured, ""
}
