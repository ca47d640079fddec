package hooks

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// names lists the hooks that are installed, in the order in which git runs them.
func (i Installer) names() []string {
	if i.Server {
		return []string{PreReceive}
	}
	return []string{"pre-commit", "commit-msg", "post-commit", "pre-merge-commit", "pre-push"}
}

// State is the state of a hook.
type State string

// The states of a hook.
const (
	Configured State = "configured" // git's configuration names the shim, in addition to any other hooks
	Installed  State = "installed"  // git finds the shim in the folder of hooks
	Chained    State = "chained"    // the same, and the shim calls the hook that was there before
	Behind     State = "behind"     // another manager's hook calls the shim
	Idle       State = "idle"       // the shim is there, but git does not run it
	Foreign    State = "foreign"    // somebody else's hook is there, and it does not call the shim
	Absent     State = "absent"
)

// Hook is one hook of a repository.
type Hook struct {
	Name  string `json:"name"`
	Path  string `json:"path"`
	State State  `json:"state"`
	// Remedy says what to do if the hook does not guard.
	Remedy string `json:"remedy,omitempty"`
	// Changed says that this call changed something.
	Changed bool `json:"changed,omitempty"`
}

// Guards reports whether git reaches the shim.
func (h Hook) Guards() bool {
	return h.State == Configured || h.State == Installed || h.State == Chained || h.State == Behind
}

// Installer installs the shims into one repository.
type Installer struct {
	Repo   *gitx.Repo
	Binary string // absolute path of git-tdd; empty: where this program was started
	// Shims installs the shims in the folder of hooks even if git could call them
	// through its configuration: for a repository that an older git uses too.
	Shims  bool
	Server bool // installs the hook of a repository that is pushed to instead of those for working in one

	// What is found before looking at a hook, see survey.
	git   string            // its version, where that is asked for
	dir   string            // where it looks for hooks
	named map[string]string // what its configuration says about our hooks, by key
}

// Install installs what is missing and replaces shims of other versions: in git's configuration
// if git calls hooks from there, so that other hooks stay where they are. Otherwise an existing
// hook is kept and called first; if that is not safe, nothing is touched, and the remedy says
// what to add by hand.
func (i Installer) Install(ctx context.Context) ([]Hook, error) {
	if err := i.mark(ctx); err != nil {
		return nil, err
	}
	self, err := ownPath()
	if err != nil {
		return nil, err
	}
	i.Binary = cmp.Or(i.Binary, self)
	if i.git, err = i.Repo.Version(ctx); err != nil {
		return nil, err
	}
	return i.each(ctx, func(s Installer, h *Hook) error {
		if !gitx.Older(s.git, since) && !s.Shims && !s.Server {
			return s.configure(ctx, h)
		}
		if err := s.unconfigure(ctx, h); err != nil {
			return err
		}
		return s.place(ctx, h)
	})
}

// ownPath is the path by which this binary was started, with its links: a
// package manager may move what a link points to.
func ownPath() (string, error) {
	self, err := exec.LookPath(os.Args[0])
	if err == nil {
		self, err = filepath.Abs(self)
	}
	if err != nil {
		return "", fmt.Errorf("find the program itself: %w", err)
	}
	return self, nil
}

// mark makes the folder that tells shims of something to guard, even in a sparse checkout.
func (i Installer) mark(ctx context.Context) error {
	head, err := i.Repo.Head(ctx)
	if err != nil {
		return err
	}
	ok, err := check.Guarded(ctx, i.Repo, head.Tree)
	if err == nil && ok {
		err = os.MkdirAll(i.Repo.StateDir(), 0o750)
	}
	return err
}

// Uninstall removes the shims and restores what was there before them.
func (i Installer) Uninstall(ctx context.Context) ([]Hook, error) {
	return i.each(ctx, func(s Installer, h *Hook) error {
		if err := s.unconfigure(ctx, h); err != nil {
			return err
		}
		return displace(h)
	})
}

// Status looks at the hooks and changes nothing.
func (i Installer) Status(ctx context.Context) ([]Hook, error) {
	return i.each(ctx, func(Installer, *Hook) error { return nil })
}

// each does something with every hook, and then looks at it.
func (i Installer) each(ctx context.Context, do func(Installer, *Hook) error) ([]Hook, error) {
	s, err := i.survey(ctx)
	if err != nil {
		return nil, err
	}
	var all []Hook
	for _, name := range i.names() {
		h := Hook{Name: name, Path: filepath.Join(s.dir, name)}
		err := do(s, &h)
		if err == nil {
			err = s.look(ctx, &h)
		}
		if err != nil {
			return all, fmt.Errorf("hook %s: %w", name, err)
		}
		all = append(all, h)
	}
	return all, nil
}

// survey finds what is the same for all hooks of the repository.
func (i Installer) survey(ctx context.Context) (found Installer, err error) {
	if i.dir, err = i.Repo.HooksDir(ctx); err != nil {
		return i, err
	}
	if i.named, err = i.Repo.Config(ctx, nil, `^hook\.`+friendly); err == nil && i.git == "" && len(i.named) > 0 {
		i.git, err = i.Repo.Version(ctx)
	}
	return i, err
}

// look finds the state of a hook.
func (i Installer) look(ctx context.Context, h *Hook) error {
	if state, remedy := i.lookAtConfig(h.Name); state != Absent {
		h.Path, h.State, h.Remedy = i.script(h.Name), state, cmp.Or(h.Remedy, remedy)
		return nil
	}
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
		if legacyIsOurs(h) || i.calls(h, text) {
			h.State = Behind
		}
	}
	if h.Remedy != "" || h.Guards() {
		return nil
	}
	if h.Remedy, err = i.unsafe(ctx, h, text); err == nil && h.Remedy == "" && h.State == Foreign {
		h.Remedy = "run `git tdd hooks install`"
	}
	return err
}

// calls reports whether somebody else's hook has the line that calls us, or runs it by its
// manager's settings: husky's own file calls the user's, one folder up.
func (i Installer) calls(h *Hook, text string) bool {
	line := "tdd hook " + h.Name
	if dir := filepath.Dir(h.Path); isHusky(dir) {
		return mentions(filepath.Join(filepath.Dir(dir), h.Name), line)
	}
	switch {
	case strings.Contains(text, line):
		return true
	case strings.Contains(text, "lefthook"):
		return mentions(filepath.Join(i.Repo.Top, "lefthook.yml"), line)
	case strings.Contains(text, "pre-commit"):
		settings := filepath.Join(i.Repo.Top, ".pre-commit-config.yaml")
		return mentions(settings, line) || h.Name == decides && mentions(settings, "id: git-tdd")
	}
	return false
}

func mentions(file, words string) bool {
	text, err := wholefile.Read(file)
	return err == nil && strings.Contains(string(text), words)
}

// isHusky reports whether a folder of hooks is husky's, which rewrites it at every install.
func isHusky(dir string) bool { return filepath.Base(dir) == "_" && exists(filepath.Join(dir, "h")) }

// legacyIsOurs reports whether the hook that pre-commit kept, and runs first, is a shim.
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
