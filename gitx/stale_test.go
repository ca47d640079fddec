//go:build linux

package gitx

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestRecoverTakesStaleLocksAway, but only those that an interrupted landing
// can have left behind.
func TestRecoverTakesStaleLocksAway(t *testing.T) {
	t.Parallel()
	locks := []string{".git/index.lock", ".git/HEAD.lock", ".git/refs/heads/main.lock", ".git/refs/tdd/next.lock", ".git/packed-refs.lock"}
	for name, age := range map[string]time.Duration{"ours": 0, "by a clock that was set back": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := landLab(t)
			r := l.open()
			landing := l.step(r, everything(l)...)
			interrupt(t, r, landing)
			made := time.Now().Add(-age)
			for _, name := range locks {
				l.Write(name, "")
				gittest.Check(t, os.Chtimes(l.Path(name), made, made))
			}
			again := l.open()
			again.staleAfter = time.Millisecond
			recovered(t, again, RolledForward)
			l.landed(landing, mineStatus)
		})
	}
	t.Run("before the record", func(t *testing.T) {
		t.Parallel()
		l := landLab(t)
		r := l.open()
		gittest.Check(t, r.mark())
		l.Write(".git/refs/tdd/next.lock", "")
		l.Write(".git/packed-refs.lock", "")
		r.staleAfter = time.Millisecond
		if rec, err := r.Recover(context.Background()); err != nil || rec != NothingToRecover {
			t.Errorf("%q %v", rec, err)
		}
		l.tidy()
	})
	t.Run("older than the landing", func(t *testing.T) {
		t.Parallel()
		l := landLab(t)
		r := l.open()
		landing := l.step(r, everything(l)...)
		interrupt(t, r, landing)
		l.Write(".git/index.lock", "theirs")
		old := time.Now().Add(-time.Hour)
		gittest.Check(t, os.Chtimes(l.Path(".git/index.lock"), old, old))
		if _, err := r.Recover(context.Background()); err == nil || !strings.Contains(err.Error(), "index.lock") {
			t.Errorf("%v", err)
		}
		if !l.exists(".git/index.lock") {
			t.Error("a foreign lock was taken away")
		}
		l.remove(".git/index.lock")
		recovered(t, r, RolledForward)
		l.landed(landing, mineStatus)
	})
	t.Run("while another git is alive", func(t *testing.T) {
		t.Parallel()
		l := landLab(t)
		r := l.open()
		landing := l.step(r, everything(l)...)
		interrupt(t, r, landing)
		l.Write(".git/index.lock", "theirs")
		stop := l.liveGit()
		again := l.open()
		again.staleAfter = time.Millisecond
		if _, err := again.Recover(context.Background()); err == nil || !strings.Contains(err.Error(), "index.lock") {
			t.Errorf("%v", err)
		}
		stop()
		recovered(t, again, RolledForward)
		l.landed(landing, mineStatus)
	})
}

// liveGit keeps a git command running in the repository until stop is called.
func (l *lab) liveGit() (stop func()) {
	l.Helper()
	cmd := exec.Command("sh", "-c", "git update-ref --stdin; exit 0")
	cmd.Dir, cmd.Env = l.Dir, l.Env
	in, err := cmd.StdinPipe()
	gittest.Check(l, err)
	out, err := cmd.StdoutPipe()
	gittest.Check(l, err)
	gittest.Check(l, cmd.Start())
	if _, err := in.Write([]byte("start\n")); err != nil {
		l.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		l.Fatal(err)
	}
	return func() {
		_ = in.Close()
		_ = cmd.Wait()
	}
}
