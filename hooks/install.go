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

// Names lists the hooks that are installed, in the order in which git runs them.
func Names() []string {
	return []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-merge-commit", "pre-push"}
}

// State is how a hook stands.
type State string

// The states of a hook.
const (
	Installed State = "installed" // git calls the shim
	Chained   State = "chained"   // likewise, and the shim calls the hook that was there before
	Behind    State = "behind"    // another manager's hook calls the shim
	Idle      State = "idle"      // the shim is there but not executable, so git does not run it
	Foreign   State = "foreign"   // somebody else's hook is there, and it does not call the shim
	Absent    State = "absent"
)

// Hook is one hook of a repository.
type Hook struct {
	Name  string `json:"name"`
	Path  string `json:"path"`
	State State  `json:"state"`
	// Remedy says what to do where the hook does not guard.
	Remedy string `json:"remedy,omitempty"`
	// Changed says that the call changed something.
	Changed bool `json:"changed,omitempty"`
}

// Guards reports whether git gets to the shim.
func (h Hook) Guards() bool { return h.State == Installed || h.State == Chained || h.State == Behind }

// Installer installs the shims into one repository.
type Installer struct {
	Repo   *gitx.Repo
	Binary string // absolute path of git-tdd
	Server bool   // the hook of a repository that is pushed to, in the place of those of one that is worked in
}

// suffix names the former hook.
const suffix = ".before-git-tdd"

// Install installs what is missing and replaces shims of other versions. A hook
// that is there already is kept and called first; where that cannot be done
// safely, nothing is touched and the hook's remedy says what to add by hand.
func (i Installer) Install(ctx context.Context) ([]Hook, error) {
	return i.each(ctx, i.install)
}

// Uninstall takes the shims away and puts back what was there before them.
func (i Installer) Uninstall(ctx context.Context) ([]Hook, error) {
	return i.each(ctx, func(_ context.Context, _ string, h *Hook) error { return uninstall(h) })
}

// Status looks at the hooks and changes nothing.
func (i Installer) Status(ctx context.Context) ([]Hook, error) {
	return i.each(ctx, func(context.Context, string, *Hook) error { return nil })
}

// each looks at every hook after something was done about it.
func (i Installer) each(ctx context.Context, do func(context.Context, string, *Hook) error) ([]Hook, error) {
	dir, err := i.Repo.HooksDir(ctx)
	if err != nil {
		return nil, err
	}
	var all []Hook
	for _, name := range i.names() {
		h := Hook{Name: name, Path: filepath.Join(dir, name)}
		if err := do(ctx, dir, &h); err != nil {
			return all, fmt.Errorf("hook %s: %w", name, err)
		}
		if err := h.look(); err != nil {
			return all, fmt.Errorf("hook %s: %w", name, err)
		}
		all = append(all, h)
	}
	return all, nil
}

// look finds the state of a hook.
func (h *Hook) look() error {
	text, who, err := read(h.Path)
	if err != nil {
		return err
	}
	switch who {
	case absent:
		h.State = Absent
	case ours, edited:
		return h.lookAtShim()
	case stranger:
		h.State = Foreign
		if legacyIsOurs(h) || calls(h, text) {
			h.State = Behind
		}
	}
	if h.Remedy == "" && h.State == Foreign {
		h.Remedy = "run `git tdd hooks install` to chain it"
	}
	return nil
}

// calls reports whether a hook of somebody else has the line that calls us.
// Husky's own file calls the one that the user writes, a folder above.
func calls(h *Hook, text string) bool {
	if dir := filepath.Dir(h.Path); isHusky(dir) {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(dir), h.Name))
		return err == nil && strings.Contains(string(data), "tdd hook "+h.Name)
	}
	return strings.Contains(text, "tdd hook "+h.Name)
}

// isHusky reports whether a folder of hooks is husky's, which writes it anew
// whenever packages are installed.
func isHusky(dir string) bool { return filepath.Base(dir) == "_" && exists(filepath.Join(dir, "h")) }

// legacyIsOurs reports whether pre-commit, which keeps what was there before it
// under this name and runs it first, keeps a shim.
func legacyIsOurs(h *Hook) bool {
	_, who, err := read(h.Path + ".legacy")
	return err == nil && who == ours
}

func (h *Hook) lookAtShim() error {
	fi, err := os.Stat(h.Path)
	if err != nil {
		return err
	}
	_, former, err := read(h.Path + suffix)
	switch {
	case err != nil:
		return err
	case fi.Mode()&0o111 == 0:
		h.State, h.Remedy = Idle, "chmod +x "+h.Path
	case former != absent:
		h.State = Chained
	default:
		h.State = Installed
	}
	return nil
}

// read returns a hook and whose it is.
func read(name string) (text string, who origin, err error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", absent, nil
	}
	if err != nil {
		return "", stranger, err
	}
	return string(data), whose(string(data)), nil
}

// shim is the text of a hook in a folder. In the usual one it can tell by its
// own place whether git-tdd has ever kept anything in this repository.
func (i Installer) shim(name, dir string) string {
	if i.Server {
		return serverShimText(i.Binary)
	}
	kept := ":"
	if filepath.Dir(dir) == i.Repo.CommonDir {
		kept = `[ -d "${0%/*}/../tdd" ]`
	}
	return shimText(name, i.Binary, kept)
}

// install puts one shim in place.
func (i Installer) install(ctx context.Context, dir string, h *Hook) error {
	text, who, err := read(h.Path)
	if err != nil {
		return err
	}
	want := i.shim(h.Name, dir)
	if who == stranger && (calls(h, text) || legacyIsOurs(h)) {
		return nil // it is called already
	}
	if who == edited {
		h.Remedy = "it is a shim that was changed by hand; it is left alone. To replace it, delete it and install again"
		return nil
	}
	if h.Remedy, err = i.unsafe(ctx, dir, h, text); err != nil || h.Remedy != "" {
		return err
	}
	switch {
	case who == stranger:
		if h.Remedy, err = keep(h.Path, text); err != nil || h.Remedy != "" {
			return err
		}
	case text == want:
		return nil
	}
	h.Changed = true
	return write(h.Path, want)
}

// unsafe says why a hook cannot be put where git looks for it, and what to do
// instead; empty where it can.
func (i Installer) unsafe(ctx context.Context, dir string, h *Hook, text string) (remedy string, err error) {
	line := fmt.Sprintf("git tdd hook %s \"$@\"", h.Name)
	who := whose(text)
	switch {
	case isHusky(dir):
		return "husky writes these files anew: add the line `" + line + "` to " + filepath.Join(filepath.Dir(dir), h.Name), nil
	case !within(i.Repo.Top, dir) && !within(i.Repo.CommonDir, dir):
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

// write puts a shim in place in one go.
func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // as git makes it
		return fmt.Errorf("make the folder of the hooks: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".git-tdd-")
	if err != nil {
		return fmt.Errorf("write the hook: %w", err)
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Chmod(0o755), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write the hook: %w", err), os.Remove(f.Name()))
	}
	return nil
}

// uninstall takes one shim away, where git calls it or another manager does.
func uninstall(h *Hook) error {
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

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// within reports whether a path lies in a folder.
func within(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}
