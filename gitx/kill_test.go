//go:build linux

package gitx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestMain lets the test binary act as git-tdd, so that it can be killed.
func TestMain(m *testing.M) {
	if mode := os.Getenv("GITX_TEST_MODE"); mode != "" {
		if err := play(mode); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// play takes the lock and lands or recovers.
func play(mode string) error {
	ctx := context.Background()
	r, err := Open(ctx, Options{Dir: ".", Environ: os.Environ(), Seal: sealer("ours")})
	if err != nil {
		return err
	}
	lock, err := r.Lock(ctx, mode)
	if err != nil {
		return err
	}
	if mode == "recover" {
		r.staleAfter = 50 * time.Millisecond
		_, err = r.Recover(ctx)
	} else {
		args := strings.Fields(mode)
		err = r.Land(ctx, Landing{Branch: args[0], Old: ID(args[1]), New: ID(args[2]), Log: "tdd: test"})
	}
	if err != nil {
		return err
	}
	if err := lock.Close(); err != nil {
		return err
	}
	return r.Close()
}

// player starts the test binary in a session of its own.
func (l *lab) player(mode string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Dir = l.Dir
	cmd.Env = append(append(append([]string(nil), l.Env...), "GITX_TEST_MODE="+mode), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd
}

// killSession kills every process of a session, git children included.
func killSession(sid int) {
	for range 3 { // a process may be forking right now
		dirs, _ := filepath.Glob("/proc/[0-9]*/stat")
		for _, name := range dirs {
			data, err := os.ReadFile(name)
			if err != nil {
				continue
			}
			fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
			if len(fields) > 3 && fields[3] == strconv.Itoa(sid) {
				if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
			}
		}
	}
}

// arena is a repository in which one landing, there and back, is killed again
// and again.
type arena struct {
	*lab
	one, two ID
	old, new int // how the kills ended
}

func newArena(t *testing.T) *arena {
	t.Helper()
	l := landLab(t)
	r := l.open()
	landing := l.step(r, everything(l)...)
	gittest.Check(t, r.Close())
	return &arena{lab: l, one: landing.Old, two: landing.New}
}

// landing is the next one: away from where the branch is.
func (a *arena) landing() (mode string, from ID) {
	a.Helper()
	from = a.at()
	to := a.two
	if from == a.two {
		to = a.one
	}
	return fmt.Sprintf("refs/heads/main %s %s", from, to), from
}

// at is where the branch is.
func (a *arena) at() ID {
	a.Helper()
	return ID(strings.TrimSpace(a.Read(".git/refs/heads/main")))
}

// holds recovers in a fresh process and asserts every promise.
func (a *arena) holds(from ID, where string) {
	a.Helper()
	if out, err := a.player("recover").CombinedOutput(); err != nil {
		a.Fatalf("%s: recovery: %v %s", where, err, out)
	}
	switch a.at() {
	case from:
		a.old++
	case a.one, a.two:
		a.new++
	default:
		a.Fatalf("%s: the branch is at a third commit", where)
	}
	if got := a.status(); got != mineStatus {
		a.Fatalf("%s: status\n%s", where, got)
	}
	a.mineUntouched()
	a.clear()
	if (a.old+a.new)%8 == 0 {
		a.sound()
	}
	if a.Failed() {
		a.Fatalf("%s: see above", where)
	}
}

// TestKilledAtEveryGitCall kills the landing before and after each git command
// that it starts: either alone, so that git continues without it, or together
// with git.
func TestKilledAtEveryGitCall(t *testing.T) {
	t.Parallel()
	real, err := exec.LookPath("git")
	gittest.Check(t, err)
	for _, when := range []string{"before", "after", "during"} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			a := newArena(t)
			bin := t.TempDir()
			shim := fmt.Sprintf(`#!/bin/sh
n=$(($(cat %[1]s/count) + 1))
echo $n >%[1]s/count
case $(cat %[1]s/at)-%[2]s in
$n-before) kill -9 $PPID; exit 1 ;;
$n-during) exec 9>%[1]s/running; kill -9 $PPID; exec %[3]s "$@" ;;
$n-after) %[3]s "$@"; kill -9 $PPID; exit 1 ;;
esac
exec %[3]s "$@"
`, bin, when, real)
			gittest.Files{"git*": shim}.Write(t, bin)
			running := filepath.Join(bin, "running")
			gittest.Check(t, syscall.Mkfifo(running, 0o600))
			points := 0
			for at := 1; ; at++ {
				for name, n := range map[string]int{"count": 0, "at": at} {
					gittest.Write(t, filepath.Join(bin, name), strconv.Itoa(n))
				}
				mode, from := a.landing()
				orphan, err := os.OpenFile(running, os.O_RDONLY|syscall.O_NONBLOCK, 0)
				gittest.Check(t, err)
				whole := a.player(mode, "PATH="+bin+":"+os.Getenv("PATH")).Run() == nil
				_, err = io.Copy(io.Discard, orphan) // until a git that outlived its parent has ended
				gittest.Check(t, errors.Join(err, orphan.Close()))
				if whole {
					break
				}
				points++
				a.holds(from, fmt.Sprintf("%s call %d", when, at))
			}
			t.Logf("%d points: %d ended old, %d new", points, a.old, a.new)
			if points < 8 || a.new == 0 || a.old == 0 {
				t.Errorf("%d points, %d old, %d new: the kills missed", points, a.old, a.new)
			}
		})
	}
}

// TestKilledAtAnyTime kills landings, with all their children, at random times.
func TestKilledAtAnyTime(t *testing.T) {
	t.Parallel()
	arenas, rounds := 2, 78
	if os.Getenv("TDD_LONG") == "1" {
		rounds = 2000
	}
	for n := range arenas {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			a := newArena(t)
			rnd := rand.New(rand.NewPCG(uint64(n), 1))
			mode, _ := a.landing()
			began := time.Now()
			if out, err := a.player(mode).CombinedOutput(); err != nil {
				t.Fatalf("%v %s", err, out)
			}
			life := time.Since(began)
			killed := 0
			for i := range rounds {
				mode, from := a.landing()
				cmd := a.player(mode)
				gittest.Check(t, cmd.Start())
				delay := time.Duration(rnd.Int64N(int64(life)))
				timer := time.AfterFunc(delay, func() { killSession(cmd.Process.Pid) })
				if cmd.Wait() != nil {
					killed++
				}
				timer.Stop()
				killSession(cmd.Process.Pid)
				a.holds(from, fmt.Sprintf("round %d, killed after %v of %v", i, delay, life))
			}
			t.Logf("%d rounds, %d killed: %d ended old, %d new", rounds, killed, a.old, a.new)
		})
	}
}
