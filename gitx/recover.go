package gitx

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Recovery says what Recover found and did.
type Recovery string

// What a recovery can have done.
const (
	NothingToRecover Recovery = ""
	RolledForward    Recovery = "an interrupted step was finished"
	Dropped          Recovery = "an interrupted step was dropped, because the branch has moved on since"
)

// Interrupted reports whether a landing waits for Recover.
func (r *Repo) Interrupted(ctx context.Context) (bool, error) {
	_, err := r.Object(ctx, nextRef)
	if errors.Is(err, ErrMissing) {
		return false, nil
	}
	return err == nil, err
}

// Recover finishes a landing that was interrupted. The caller holds the lock.
func (r *Repo) Recover(ctx context.Context) (Recovery, error) {
	if err := r.sweep(); err != nil {
		return NothingToRecover, err
	}
	obj, err := r.Object(ctx, nextRef)
	if errors.Is(err, ErrMissing) {
		return NothingToRecover, nil
	}
	if err != nil {
		return NothingToRecover, err
	}
	l, top, err := parseRecord(obj)
	if err != nil {
		return NothingToRecover, err
	}
	if top != r.Top && isDir(top) {
		return NothingToRecover, fmt.Errorf("a step was interrupted in the working tree %s; run `git tdd status` there first", top)
	}
	if err := r.clearStaleLocks(l.Branch); err != nil {
		return NothingToRecover, err
	}
	now, err := r.Ref(ctx, l.Branch)
	if err != nil {
		return NothingToRecover, err
	}
	if now != l.Old && now != l.New {
		return Dropped, r.forget(ctx, obj.ID)
	}
	return RolledForward, r.finish(ctx, l, obj.ID)
}

func isDir(name string) bool {
	fi, err := os.Stat(name)
	return err == nil && fi.IsDir()
}

func parseRecord(obj Object) (Landing, string, error) {
	l, top := Landing{Log: "tdd: finish an interrupted step"}, ""
	for line := range strings.Lines(string(obj.Content)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "object":
			l.New = ID(value)
		case "branch":
			l.Branch = value
		case "old":
			l.Old = ID(value)
		case "worktree":
			top = value
		}
	}
	if obj.Type != "tag" || l.New == "" || !strings.HasPrefix(l.Branch, "refs/heads/") {
		return l, top, fmt.Errorf("%s is not a record of git-tdd's; look at it with `git show %s`, remove it with `git update-ref -d %s`",
			nextRef, nextRef, nextRef)
	}
	return l, top, nil
}

// sweep removes the temporary folders that a killed run left behind.
func (r *Repo) sweep() error {
	left, err := filepath.Glob(filepath.Join(r.StateDir(), "tmp-*"))
	if err != nil {
		return fmt.Errorf("look for temporary folders: %w", err)
	}
	for _, dir := range left {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("remove a temporary folder: %w", err)
		}
	}
	return nil
}

// staleAfter is the age at which a lock that a landing needs is taken for the
// leftover of a git that was killed with it.
const staleAfter = 10 * time.Second

// clearStaleLocks removes the locks that a killed git child of the interrupted
// landing may have left. They are ours only if no git can still be at work:
// the caller holds our lock, the landing is on record, and nobody has touched
// the lock for a while.
func (r *Repo) clearStaleLocks(branch string) error {
	for _, name := range []string{
		filepath.Join(r.GitDir, "index.lock"),
		filepath.Join(r.GitDir, "HEAD.lock"),
		filepath.Join(r.CommonDir, filepath.FromSlash(branch)+".lock"),
		filepath.Join(r.CommonDir, filepath.FromSlash(nextRef)+".lock"),
	} {
		fi, err := os.Lstat(name)
		if err != nil || time.Since(fi.ModTime()) < staleAfter {
			continue
		}
		if err := os.Remove(name); err != nil {
			return fmt.Errorf("remove the stale lock %s: %w", name, err)
		}
	}
	return nil
}
