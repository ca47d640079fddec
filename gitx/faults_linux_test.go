package gitx

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// changing are the system calls with which programs change files; between two of them
// nothing on disk does.
const changing = "write,pwrite64,writev,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,rmdir," +
	"mkdir,mkdirat,ftruncate,fchmod,chmod,fchmodat,utimensat,fsync,fdatasync,sync_file_range"

// stride is how many points are passed over for each that is tried.
func stride(least int) int {
	if os.Getenv("TDD_LONG") == "1" {
		return 1
	}
	return least
}

// TestKilledAtEverySystemCallOfGit kills each git command of a landing at each system
// call with which it would change a file. The landing goes on as it can; it does not
// know that git is meant to die.
func TestKilledAtEverySystemCallOfGit(t *testing.T) {
	t.Parallel()
	strace := gittest.NeedStrace(t)
	git, err := exec.LookPath("git")
	gittest.Check(t, err)
	a := newArena(t)
	bin := t.TempDir()
	log := filepath.Join(bin, "log")
	shim := fmt.Sprintf(`#!/bin/sh
n=$(($(cat %[1]s/count) + 1))
echo $n >%[1]s/count
read -r call at <%[1]s/at
[ $n = $call ] || exec %[3]s "$@"
exec %[2]s -f -qq -o %[4]s -e trace=%[5]s -e inject=%[5]s:signal=KILL:when=$at %[3]s "$@"
`, bin, strace, git, log, changing)
	gittest.Files{"git*": shim}.Write(t, bin)
	points, skip := 0, stride(16)
	for call := 1; ; call++ {
		for at := 1; ; at += skip {
			gittest.Files{"count": "0\n", "at": fmt.Sprintln(call, at), "log": ""}.Write(t, bin)
			mode, from := a.landing()
			err := a.player(mode, "PATH="+bin+":"+os.Getenv("PATH")).Run()
			calls, _ := strconv.Atoi(strings.TrimSpace(gittest.Read(t, filepath.Join(bin, "count"))))
			where := fmt.Sprintf("git call %d, system call %d", call, at)
			a.keepsItsWord(err, from, where)
			a.holds(from, where)
			if calls < call {
				t.Logf("%d points in %d calls of git: %d ended old, %d new", points, calls, a.old, a.new)
				if points < 5 {
					t.Errorf("only %d points: the kills missed", points)
				}
				return
			}
			if !strings.Contains(gittest.Read(t, log), "killed by SIGKILL") {
				break
			}
			points++
		}
	}
}

// TestFaultsOfTheDisk lets the kernel refuse each write, flush, rename, read and so on
// of a landing, git's as well as ours: once, and from then on.
func TestFaultsOfTheDisk(t *testing.T) {
	t.Parallel()
	for _, fault := range gittest.Faults() {
		for _, often := range []string{"", "+"} {
			t.Run(fault.Error+often+"/"+fault.Calls, func(t *testing.T) {
				t.Parallel()
				a := newArena(t)
				points := 0
				for at := 1; ; at += stride(23) {
					mode, from := a.landing()
					cmd := a.player(mode)
					struck := gittest.Suffer(t, cmd, fault, strconv.Itoa(at)+often)
					out, err := cmd.CombinedOutput()
					where := fmt.Sprintf("call %d: %s", at, out)
					a.keepsItsWord(err, from, where)
					a.holds(from, where)
					if !struck() {
						break
					}
					points++
				}
				t.Logf("%d points: %d ended old, %d new", points, a.old, a.new)
				if points == 0 {
					t.Error("no fault was injected")
				}
			})
		}
	}
}

// keepsItsWord asserts that a landing that says it went well did: nothing is left for
// a recovery to do.
func (a *arena) keepsItsWord(said error, from ID, where string) {
	a.Helper()
	if said != nil {
		return
	}
	if a.at() == from {
		a.Fatalf("%s: it said that the step has landed; the branch is where it was", where)
	}
	if got := a.status(); got != mineStatus {
		a.Fatalf("%s: it said that the step has landed; status\n%s", where, got)
	}
}
