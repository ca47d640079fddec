package gitx

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// interrupt leaves a repository as if a landing had been killed right after
// making its record.
func interrupt(t *testing.T, r *Repo, landing Landing) {
	t.Helper()
	ctx := context.Background()
	if err := r.mark(); err != nil {
		t.Fatal(err)
	}
	record, err := r.writeRecord(ctx, landing)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.UpdateRef(ctx, RefUpdate{Name: nextRef, New: record, Log: "landing"}); err != nil {
		t.Fatal(err)
	}
}

func recovered(t *testing.T, r *Repo, want Recovery) {
	t.Helper()
	ctx := context.Background()
	if is, err := r.Interrupted(ctx); err != nil || !is {
		t.Errorf("interrupted: %v %v", is, err)
	}
	got, err := r.Recover(ctx)
	if err != nil || got != want {
		t.Errorf("recovered: %q %v, want %q", got, err, want)
	}
	if again, err := r.Recover(ctx); err != nil || again != NothingToRecover {
		t.Errorf("again: %q %v", again, err)
	}
}

func TestRecoverRollsForward(t *testing.T) {
	t.Parallel()
	l := landLab(t)
	r := l.open(t)
	landing := l.step(t, r, everything(t, l)...)
	interrupt(t, r, landing)
	if err := r.Land(context.Background(), landing); !errors.Is(err, ErrInterrupted) {
		t.Errorf("landing over a record: %v", err)
	}
	recovered(t, l.open(t), RolledForward)
	l.landed(t, landing, mineStatus)
	l.mineUntouched(t)
}

func TestRecoverTheFirstCommit(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.open(t)
	landing := l.step(t, r, put("a/b", "b\n"))
	interrupt(t, r, landing)
	recovered(t, l.open(t), RolledForward)
	l.landed(t, landing, "")
}

func TestRecoverDropsWhatIsOvertaken(t *testing.T) {
	t.Parallel()
	l := landLab(t)
	r := l.open(t)
	landing := l.step(t, r, everything(t, l)...)
	interrupt(t, r, landing)
	temp := tempName(&Entry{Path: "new/exe", ID: landingEntry(t, r, landing, "new/exe")})
	l.write(t, temp, "half")
	l.git(t, "commit", "--quiet", "--allow-empty", "--only", "-m", "theirs")
	theirs := l.rev(t, "HEAD")
	recovered(t, l.open(t), Dropped)
	if l.rev(t, "HEAD") != theirs || l.status(t) != mineStatus {
		t.Errorf("status %s", l.status(t))
	}
	l.mineUntouched(t)
	l.tidy(t)
}

func landingEntry(t *testing.T, r *Repo, landing Landing, name string) ID {
	t.Helper()
	obj, err := r.Object(context.Background(), string(landing.New)+":"+name)
	if err != nil {
		t.Fatal(err)
	}
	return obj.ID
}

func TestRecoverOnAnotherBranch(t *testing.T) {
	t.Parallel()
	l := landLab(t)
	r := l.open(t)
	landing := l.step(t, r, everything(t, l)...)
	interrupt(t, r, landing)
	l.git(t, "switch", "--quiet", "-c", "other")
	recovered(t, l.open(t), RolledForward)
	l.landed(t, landing, mineStatus)
	l.mineUntouched(t)
}

func TestRecoverInAnotherWorktreeIsRefused(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := landLab(t)
	dir := filepath.Join(t.TempDir(), "other")
	l.git(t, "worktree", "add", "--quiet", "-b", "other", dir)
	r := l.open(t)
	landing := l.step(t, r, put("changed", "new\n"))
	interrupt(t, r, landing)
	if _, err := openAt(t, dir, l.env).Recover(ctx); err == nil || !strings.Contains(err.Error(), r.Top) {
		t.Errorf("%v", err)
	}
	recovered(t, l.open(t), RolledForward)
	l.landed(t, landing, mineStatus)
}

// TestRecoverAfterTheRepositoryMoved: its path is in the record.
func TestRecoverAfterTheRepositoryMoved(t *testing.T) {
	t.Parallel()
	l := newLabIn(t, filepath.Join(t.TempDir(), "new\nbranch refs/heads/evil"))
	l.write(t, "a", "a")
	l.commit(t, "root")
	r := l.open(t)
	landing := l.step(t, r, put("a", "new"))
	interrupt(t, r, landing)
	dir := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(l.dir, dir); err != nil {
		t.Fatal(err)
	}
	moved := &lab{dir: dir, env: l.env}
	recovered(t, moved.open(t), RolledForward)
	moved.landed(t, landing, "")
}

// TestRecoverStopsAtTheUsersWork: what changed since stays as it is, in the
// file and in the index.
func TestRecoverStopsAtTheUsersWork(t *testing.T) {
	t.Parallel()
	cases := map[string]func(t *testing.T, l *lab){
		"file":      func(t *testing.T, l *lab) { t.Helper(); l.write(t, "changed", "mine since\n") },
		"deletion":  func(t *testing.T, l *lab) { t.Helper(); l.write(t, "deleted", "mine since\n") },
		"untracked": func(t *testing.T, l *lab) { t.Helper(); l.write(t, "empty", "mine since\n") },
		"index": func(t *testing.T, l *lab) {
			t.Helper()
			l.write(t, "changed", "mine since\n")
			l.git(t, "add", "changed")
			l.write(t, "changed", "changed\n")
		},
		"folder": func(t *testing.T, l *lab) { t.Helper(); l.write(t, "folder-to-file/mine", "mine since\n") },
	}
	for name, disturb := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			l := landLab(t)
			r := l.open(t)
			landing := l.step(t, r, everything(t, l)...)
			interrupt(t, r, landing)
			disturb(t, l)
			_, err := r.Recover(ctx)
			var c *CollisionError
			if !errors.As(err, &c) || !errors.Is(err, ErrUnfinished) || len(c.Paths) != 1 {
				t.Fatalf("%v", err)
			}
			if is, err := r.Interrupted(ctx); err != nil || !is {
				t.Errorf("interrupted: %v %v", is, err)
			}
			if l.rev(t, "HEAD") != landing.New {
				t.Error("the branch has not moved")
			}
			if c.State[c.Paths[0]] == Staged {
				if got := l.git(t, "cat-file", "-p", ":changed"); got != "mine since" {
					t.Errorf("staged %q", got)
				}
				return
			}
			if got := l.read(t, c.Paths[0]+map[string]string{"folder": "/mine"}[name]); got != "mine since\n" {
				t.Errorf("%s is %q", c.Paths[0], got)
			}
			// This follows the advice in the message.
			if name != "file" {
				return
			}
			l.git(t, "checkout", "HEAD", "--", c.Paths[0])
			recovered(t, r, RolledForward)
			l.landed(t, landing, mineStatus)
		})
	}
}

func TestRecoverRefusesAForeignRecord(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := committed(t)
	l.git(t, "update-ref", nextRef, "HEAD")
	if _, err := l.open(t).Recover(ctx); err == nil || !strings.Contains(err.Error(), "update-ref -d") {
		t.Errorf("%v", err)
	}
}

func TestSweepLeavesScratchInUse(t *testing.T) {
	t.Parallel()
	l := committed(t)
	r := l.open(t)
	young, err := r.scratch()
	if err != nil {
		t.Fatal(err)
	}
	old, err := r.scratch()
	if err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-24 * time.Hour)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Recover(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(young); err != nil {
		t.Errorf("scratch in use: %v", err)
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("old scratch was left")
	}
}
