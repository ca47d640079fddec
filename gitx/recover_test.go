package gitx

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// interrupt leaves a repository as if a landing had been killed right after
// making its record.
func interrupt(tb testing.TB, r *Repo, landing Landing) {
	tb.Helper()
	ctx := context.Background()
	gittest.Check(tb, r.mark())
	record, err := r.writeRecord(ctx, landing)
	gittest.Check(tb, err)
	gittest.Check(tb, r.UpdateRef(ctx, RefUpdate{Name: r.nextRef(), New: record, Log: "landing"}))
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
	r := l.open()
	landing := l.step(r, everything(l)...)
	interrupt(t, r, landing)
	if err := r.Land(context.Background(), landing); !errors.Is(err, ErrInterrupted) {
		t.Errorf("landing over a record: %v", err)
	}
	recovered(t, l.open(), RolledForward)
	l.landed(landing, mineStatus)
	l.mineUntouched()
}

func TestRecoverTheFirstCommit(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.open()
	landing := l.step(r, put("a/b", "b\n"))
	interrupt(t, r, landing)
	recovered(t, l.open(), RolledForward)
	l.landed(landing, "")
}

func TestRecoverDropsWhatIsOvertaken(t *testing.T) {
	t.Parallel()
	l := landLab(t)
	r := l.open()
	landing := l.step(r, everything(l)...)
	interrupt(t, r, landing)
	temp := tempName(&Entry{Path: "new/exe", ID: landingEntry(t, r, landing, "new/exe")})
	l.Write(temp, "half")
	l.Git("commit", "--quiet", "--allow-empty", "--only", "-m", "theirs")
	theirs := l.rev("HEAD")
	recovered(t, l.open(), Dropped)
	if l.rev("HEAD") != theirs || l.status() != mineStatus {
		t.Errorf("status %s", l.status())
	}
	l.mineUntouched()
	l.tidy()
}

func landingEntry(t *testing.T, r *Repo, landing Landing, name string) ID {
	t.Helper()
	obj, err := r.Object(context.Background(), string(landing.New)+":"+name)
	gittest.Check(t, err)
	return obj.ID
}

func TestRecoverOnAnotherBranch(t *testing.T) {
	t.Parallel()
	l := landLab(t)
	r := l.open()
	landing := l.step(r, everything(l)...)
	interrupt(t, r, landing)
	l.Git("switch", "--quiet", "-c", "other")
	recovered(t, l.open(), RolledForward)
	l.landed(landing, mineStatus)
	l.mineUntouched()
}

// TestRecoverIsEachWorktreesOwn: a landing that was cut off in one working tree
// keeps nobody from landing in another, and is finished where it began.
func TestRecoverIsEachWorktreesOwn(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := landLab(t)
	other := l.worktree()
	r, beside := l.open(), other.open()
	landing := l.step(r, put("changed", "new\n"))
	interrupt(t, r, landing)
	if what, err := beside.Recover(ctx); err != nil || what != NothingToRecover {
		t.Errorf("%q %v", what, err)
	}
	theirs := other.step(beside, put("changed", "theirs\n"))
	gittest.Check(t, beside.Land(ctx, theirs))
	interrupt(t, beside, other.step(beside, put("changed", "theirs again\n")))
	recovered(t, l.open(), RolledForward)
	if is, err := beside.Interrupted(ctx); err != nil || !is {
		t.Errorf("the other's landing: %v %v", is, err)
	}
	recovered(t, other.open(), RolledForward)
	l.landed(landing, mineStatus)
	if got := other.status(); got != "" {
		t.Errorf("in the other working tree: %s", got)
	}
}

// TestRecoverAfterTheRepositoryMoved: its path is in the record.
func TestRecoverAfterTheRepositoryMoved(t *testing.T) {
	t.Parallel()
	l := &lab{gittest.In(t, filepath.Join(t.TempDir(), "new\nbranch refs/heads/evil"))}
	l.Write("a", "a")
	l.commit("root")
	r := l.open()
	landing := l.step(r, put("a", "new"))
	interrupt(t, r, landing)
	dir := filepath.Join(t.TempDir(), "moved")
	gittest.Check(t, os.Rename(l.Dir, dir))
	moved := l.at(dir)
	recovered(t, moved.open(), RolledForward)
	moved.landed(landing, "")
}

// TestRecoverStopsAtTheUsersWork: what changed since stays as it is, in the
// file and in the index.
func TestRecoverStopsAtTheUsersWork(t *testing.T) {
	t.Parallel()
	cases := map[string]func(l *lab){
		"file":      func(l *lab) { l.Write("changed", "mine since\n") },
		"deletion":  func(l *lab) { l.Write("deleted", "mine since\n") },
		"untracked": func(l *lab) { l.Write("empty", "mine since\n") },
		"index": func(l *lab) {
			l.Write("changed", "mine since\n")
			l.Git("add", "changed")
			l.Write("changed", "changed\n")
		},
		"folder": func(l *lab) { l.Write("folder-to-file/mine", "mine since\n") },
	}
	for name, disturb := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			l := landLab(t)
			r := l.open()
			landing := l.step(r, everything(l)...)
			interrupt(t, r, landing)
			disturb(l)
			_, err := r.Recover(ctx)
			var c *CollisionError
			if !errors.As(err, &c) || !errors.Is(err, ErrUnfinished) || len(c.State) != 1 {
				t.Fatalf("%v", err)
			}
			path := slices.Collect(maps.Keys(c.State))[0]
			if is, err := r.Interrupted(ctx); err != nil || !is {
				t.Errorf("interrupted: %v %v", is, err)
			}
			if l.rev("HEAD") != landing.New {
				t.Error("the branch has not moved")
			}
			if c.State[path] == Staged {
				if got := l.Git("cat-file", "-p", ":changed"); got != "mine since" {
					t.Errorf("staged %q", got)
				}
				return
			}
			if got := l.Read(path + map[string]string{"folder": "/mine"}[name]); got != "mine since\n" {
				t.Errorf("%s is %q", path, got)
			}
			// This follows the advice in the message.
			if name != "file" {
				return
			}
			l.Git("checkout", "HEAD", "--", path)
			recovered(t, r, RolledForward)
			l.landed(landing, mineStatus)
		})
	}
}

// TestRecoverIgnoresAForgedRecord: what others wrote moves no branch.
func TestRecoverIgnoresAForgedRecord(t *testing.T) {
	t.Parallel()
	forged := map[string]func(l *lab, landing Landing){
		"a commit": func(l *lab, _ Landing) { l.Git("update-ref", "refs/tdd/next", "HEAD") },
		"another key": func(l *lab, landing Landing) {
			r := l.open()
			r.seal = sealer("theirs")
			interrupt(l.TB, r, landing)
		},
		"no seal": func(l *lab, landing Landing) {
			r := l.open()
			r.seal = nil
			interrupt(l.TB, r, landing)
		},
		"another commit under our seal": func(l *lab, landing Landing) {
			r := l.open()
			interrupt(l.TB, r, landing)
			other := l.step(r, put("changed", "theirs\n"))
			text := strings.ReplaceAll(l.Git("cat-file", "-p", "refs/tdd/next"), string(landing.New), string(other.New))
			id, err := r.act(context.Background(), call{args: []string{"mktag"}, stdin: []byte(text + "\n")})
			gittest.Check(l.TB, err)
			l.Git("update-ref", "refs/tdd/next", strings.TrimSpace(string(id)))
		},
	}
	for name, forge := range forged {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := landLab(t)
			landing := l.step(l.open(), put("changed", "new\n"))
			forge(l, landing)
			recovered(t, l.open(), Ignored)
			if l.rev("HEAD") != landing.Old || l.status() != mineStatus {
				t.Errorf("something was done as it says: %s", l.status())
			}
			l.mineUntouched()
			l.tidy()
		})
	}
}

func TestSweepLeavesScratchInUse(t *testing.T) {
	t.Parallel()
	l := committed(t)
	r := l.open()
	young, err := r.scratch()
	gittest.Check(t, err)
	old, err := r.scratch()
	gittest.Check(t, err)
	long := time.Now().Add(-24 * time.Hour)
	gittest.Check(t, os.Chtimes(old, long, long))
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
