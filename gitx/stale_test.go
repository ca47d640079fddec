//go:build linux

package gitx

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestRecoverTakesStaleLocksAway, but only those that an interrupted landing
// can have left behind.
func TestRecoverTakesStaleLocksAway(t *testing.T) {
	t.Parallel()
	locks := []string{".git/index.lock", ".git/HEAD.lock", ".git/refs/heads/main.lock", ".git/refs/tdd/next.lock", ".git/packed-refs.lock"}
	t.Run("ours", func(t *testing.T) {
		t.Parallel()
		l := landLab(t)
		r := l.open(t)
		landing := l.step(t, r, everything(t, l)...)
		interrupt(t, r, landing)
		for _, name := range locks {
			l.write(t, name, "")
		}
		again := l.open(t)
		again.staleAfter = time.Millisecond
		recovered(t, again, RolledForward)
		l.landed(t, landing, mineStatus)
	})
	t.Run("before the record", func(t *testing.T) {
		t.Parallel()
		l := landLab(t)
		r := l.open(t)
		if err := r.mark(); err != nil {
			t.Fatal(err)
		}
		l.write(t, ".git/refs/tdd/next.lock", "")
		l.write(t, ".git/packed-refs.lock", "")
		r.staleAfter = time.Millisecond
		if rec, err := r.Recover(context.Background()); err != nil || rec != NothingToRecover {
			t.Errorf("%q %v", rec, err)
		}
		l.tidy(t)
	})
	t.Run("older than the landing", func(t *testing.T) {
		t.Parallel()
		l := landLab(t)
		r := l.open(t)
		landing := l.step(t, r, everything(t, l)...)
		interrupt(t, r, landing)
		l.write(t, ".git/index.lock", "theirs")
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(l.path(".git/index.lock"), old, old); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Recover(context.Background()); err == nil || !strings.Contains(err.Error(), "index.lock") {
			t.Errorf("%v", err)
		}
		if !l.exists(".git/index.lock") {
			t.Error("a foreign lock was taken away")
		}
		remove1(t, l.path(".git/index.lock"))
		recovered(t, r, RolledForward)
		l.landed(t, landing, mineStatus)
	})
	t.Run("while another git is alive", func(t *testing.T) {
		t.Parallel()
		l := landLab(t)
		r := l.open(t)
		landing := l.step(t, r, everything(t, l)...)
		interrupt(t, r, landing)
		l.write(t, ".git/index.lock", "theirs")
		stop := l.liveGit(t)
		again := l.open(t)
		again.staleAfter = time.Millisecond
		if _, err := again.Recover(context.Background()); err == nil || !strings.Contains(err.Error(), "index.lock") {
			t.Errorf("%v", err)
		}
		stop()
		recovered(t, again, RolledForward)
		l.landed(t, landing, mineStatus)
	})
}

// liveGit keeps a git command running in the repository until stop is called.
func (l *lab) liveGit(t *testing.T) (stop func()) {
	t.Helper()
	cmd := exec.Command("sh", "-c", "git update-ref --stdin; exit 0")
	cmd.Dir, cmd.Env = l.dir, l.env
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte("start\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return func() {
		_ = in.Close()
		_ = cmd.Wait()
	}
}
