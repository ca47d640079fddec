package gitx

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Recovery says what Recover found and did.
type Recovery string

// What a recovery may have done.
const (
	NothingToRecover Recovery = ""
	RolledForward    Recovery = "an interrupted step was finished"
	Dropped          Recovery = "an interrupted step was dropped, because the branch has moved on since; " +
		"what was committed meanwhile may have taken back what the step had changed: see git log -p -2"
	Ignored Recovery = "the record of a landing below refs/tdd/ was no record of this user's, so nothing was done as it says, and it was taken away; " +
		"where it came from, other refs below refs/tdd/ may be forged too"
)

// Interrupted reports whether a landing waits for Recover.
func (r *Repo) Interrupted(ctx context.Context) (bool, error) {
	if _, err := r.Object(ctx, r.nextRef()); err != nil {
		if errors.Is(err, ErrMissing) {
			err = nil
		}
		return false, err
	}
	// Only now is it worth asking whether that was the name of another ref.
	id, err := r.Ref(ctx, r.nextRef())
	return id != "", err
}

// Recover finishes an interrupted landing and removes what killed runs left behind. The caller
// holds the lock. A *CollisionError says that the user has changed files since.
func (r *Repo) Recover(ctx context.Context) (Recovery, error) {
	ctx = context.WithoutCancel(ctx)
	for _, dir := range r.oldScratch() {
		if err := os.RemoveAll(dir); err != nil {
			return NothingToRecover, fmt.Errorf("remove a temporary folder: %w", err)
		}
	}
	r.awaitOrphans()
	record, err := r.Ref(ctx, r.nextRef())
	if err != nil {
		return NothingToRecover, err
	}
	if record == "" {
		return NothingToRecover, errors.Join(r.clearStaleLocks(""), r.unmark())
	}
	obj, err := r.Object(ctx, string(record))
	if err != nil {
		return NothingToRecover, fmt.Errorf("%s: %w; remove it with `git update-ref -d %s`", r.nextRef(), err, r.nextRef())
	}
	l, ok, err := r.readRecord(obj)
	if err != nil {
		return NothingToRecover, err
	}
	if !ok {
		return Ignored, r.forget(ctx, record)
	}
	if l.top != r.Top && isDir(l.top) {
		return NothingToRecover, fmt.Errorf("a step was interrupted in the working tree %s; run `git tdd step` there first", l.top)
	}
	if err := r.clearStaleLocks(l.Branch); err != nil {
		return NothingToRecover, err
	}
	now, err := r.Ref(ctx, l.Branch)
	if err != nil {
		return NothingToRecover, err
	}
	if now != l.Old && now != l.New {
		return Dropped, errors.Join(r.dropped(ctx, l.Landing), r.forget(ctx, record))
	}
	if err := r.finish(ctx, l.Landing, record); err != nil {
		return NothingToRecover, err
	}
	return RolledForward, nil
}

// dropped removes the temporary files of a landing that will not be finished.
func (r *Repo) dropped(ctx context.Context, l Landing) error {
	w, _, err := r.half(ctx, l)
	if err == nil {
		w.close()
	}
	return err
}

// half is the working tree of a landing that may be half done, without the temporary
// files of a process that was killed, and what differs between its commits.
func (r *Repo) half(ctx context.Context, l Landing) (*worktree, []Diff, error) {
	diffs, err := r.landed(ctx, l)
	if err != nil {
		return nil, nil, err
	}
	w, err := r.worktree(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range diffs {
		if d.New != nil {
			_ = w.root.Remove(tempName(d.New))
		}
	}
	return w, diffs, nil
}

func isDir(name string) bool {
	fi, err := os.Stat(name)
	return err == nil && fi.IsDir()
}

// Underway names what the user is in the middle of in this working tree, and the next commit
// belongs to: "rebase", "cherry-pick", "revert", "merge"; empty if there is nothing.
func (r *Repo) Underway() string {
	for _, s := range []struct{ file, name string }{
		{"rebase-merge", "rebase"},
		{"rebase-apply", "rebase"},
		{"CHERRY_PICK_HEAD", "cherry-pick"},
		{"REVERT_HEAD", "revert"},
		{"MERGE_HEAD", "merge"},
	} {
		if _, err := os.Lstat(filepath.Join(r.GitDir, s.file)); err == nil {
			return s.name
		}
	}
	return ""
}
