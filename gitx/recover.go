package gitx

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Recovery says what Recover found and did.
type Recovery string

// What a recovery may have done.
const (
	NothingToRecover Recovery = ""
	RolledForward    Recovery = "an interrupted step was finished"
	Dropped          Recovery = "an interrupted step was dropped, because the branch has moved on since"
)

// Interrupted reports whether a landing waits for Recover.
func (r *Repo) Interrupted(ctx context.Context) (bool, error) {
	if _, err := r.Object(ctx, nextRef); err != nil {
		if errors.Is(err, ErrMissing) {
			err = nil
		}
		return false, err
	}
	// Only now is it worth asking whether that was the name of another ref.
	id, err := r.Ref(ctx, nextRef)
	return id != "", err
}

// Recover finishes an interrupted landing, and removes what killed runs left
// behind. The caller holds the lock. A *CollisionError says that the user has
// changed files since.
func (r *Repo) Recover(ctx context.Context) (Recovery, error) {
	ctx = context.WithoutCancel(ctx)
	if err := r.sweep(); err != nil {
		return NothingToRecover, err
	}
	r.awaitOrphans()
	record, err := r.Ref(ctx, nextRef)
	if err != nil {
		return NothingToRecover, err
	}
	if record == "" {
		return NothingToRecover, errors.Join(r.clearStaleLocks(""), r.unmark())
	}
	obj, err := r.Object(ctx, string(record))
	if err != nil {
		return NothingToRecover, fmt.Errorf("%s: %w; remove it with `git update-ref -d %s`", nextRef, err, nextRef)
	}
	l, top, err := parseRecord(obj)
	if err != nil {
		return NothingToRecover, err
	}
	if top != r.Top && isDir(top) {
		return NothingToRecover, fmt.Errorf("a step was interrupted in the working tree %s; run `git tdd step` there first", top)
	}
	if err := r.clearStaleLocks(l.Branch); err != nil {
		return NothingToRecover, err
	}
	now, err := r.Ref(ctx, l.Branch)
	if err != nil {
		return NothingToRecover, err
	}
	if now != l.Old && now != l.New {
		return Dropped, errors.Join(r.dropped(ctx, l), r.forget(ctx, record))
	}
	if err := r.finish(ctx, l, record); err != nil {
		return NothingToRecover, err
	}
	return RolledForward, nil
}

// dropped removes the temporary files of a landing that will not be finished.
func (r *Repo) dropped(ctx context.Context, l Landing) error {
	diffs, err := r.landed(ctx, l)
	if err != nil {
		return err
	}
	w, err := r.worktree(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	w.sweep(diffs)
	return nil
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
			top, _ = strconv.Unquote(value)
		}
	}
	if obj.Type != "tag" || l.New == "" || !strings.HasPrefix(l.Branch, "refs/heads/") {
		return l, top, fmt.Errorf("%s is not a record of git-tdd's; look at it with `git show %s`, remove it with `git update-ref -d %s`",
			nextRef, nextRef, nextRef)
	}
	return l, top, nil
}

// scratchAge is the age from which a temporary folder counts as left behind: no
// tree takes that long to build.
const scratchAge = time.Hour

// sweep removes the temporary folders that killed runs left behind.
func (r *Repo) sweep() error {
	left, err := filepath.Glob(filepath.Join(r.StateDir(), "tmp-*"))
	if err != nil {
		return fmt.Errorf("look for temporary folders: %w", err)
	}
	for _, dir := range left {
		if fi, err := os.Lstat(dir); err != nil || time.Since(fi.ModTime()) < scratchAge {
			continue
		}
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("remove a temporary folder: %w", err)
		}
	}
	return nil
}
