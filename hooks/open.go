package hooks

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/git-tdd/git-tdd/check"
)

// Displaced says what to do if git was told, after the shims came into its folder of hooks, to
// look elsewhere (`npx husky init` does so), and what it finds there does not call us, so that
// commits pass unguarded. It is empty if the hooks are as installed.
func (i Installer) Displaced(ctx context.Context) (remedy string, err error) {
	if !i.Placed() {
		return "", nil
	}
	dir, err := i.Repo.HooksDir(ctx)
	if err != nil || dir == i.own() {
		return "", err
	}
	return i.open(ctx)
}

// own is the folder in which git looks for hooks unless it is told of another one.
func (i Installer) own() string { return filepath.Join(i.Repo.CommonDir, "hooks") }

// Placed reports whether the shim that judges commits is in git's own folder of hooks.
func (i Installer) Placed() bool {
	_, who, err := read(filepath.Join(i.own(), decides))
	return err == nil && who == ours
}

// Unguarded says what to do where HEAD asks to be guarded and git calls no hook of
// ours that judges a commit, as in a fresh clone; empty where all is well.
func (i Installer) Unguarded(ctx context.Context) (remedy string, err error) {
	head, err := i.Repo.Head(ctx)
	if err != nil {
		return "", err
	}
	if ok, err := check.Guarded(ctx, i.Repo, head.Tree); err != nil || !ok {
		return "", err
	}
	return i.open(ctx)
}

// decides is the hook that judges a commit.
const decides = "commit-msg"

// open says what to do if the hook that decides does not guard.
func (i Installer) open(ctx context.Context) (remedy string, err error) {
	s, err := i.survey(ctx)
	if err != nil {
		return "", err
	}
	h := Hook{Name: decides, Path: filepath.Join(s.dir, decides)}
	if err := s.look(ctx, &h); err != nil || h.Guards() {
		return "", err
	}
	return cmp.Or(h.Remedy, "git tdd hooks install"), nil
}
