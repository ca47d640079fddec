package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// addedByHand is what a person adds, for a commit through the hooks.
const addedByHand = "tests/by_hand_test.sh"

// TestKillCommands kills and signals a commit through the hooks, a verify and a run of
// three steps at each of their git commands: nothing is committed that was not judged,
// nothing of the user's is touched, and the same command works afterwards. TDD_PART=0/1
// tries every point, otherwise some of them.
func TestKillCommands(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	lab := newKillLab(t)
	template := lab.template(t, 3)
	for _, what := range []string{"commit", "verify", "run"} {
		k := killing{template: template, steps: 3, what: what}
		lab.atEachCall(t, k, append(signals(), "before", "during", "after"), 37, lab.killCommand)
	}
}

// TestKillCommandsAtAnyTime does so at random moments, also between two commands of git
// and while tests run, to the whole group or to the process alone.
func TestKillCommandsAtAnyTime(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs kill")
	}
	lab := newKillLab(t)
	rounds := 1
	if os.Getenv("TDD_LONG") != "" {
		rounds = 40
	}
	template := lab.template(t, 3)
	for _, what := range []string{"run", "commit", "verify", "undo"} {
		k := killing{template: template, steps: 3, what: what}
		whole := lab.copyFor(t, k)
		began := time.Now()
		lab.must(t, whole, k.argv(lab.binary)...)
		life := time.Since(began)
		for _, k.when = range append(signals(), "KILL") {
			for n := range rounds {
				k.after = rand.N(life) + time.Millisecond // a random moment is the point
				strike(t, fmt.Sprintf("%s/%s/%d", what, k.when, n), k, lab.killCommand)
			}
		}
	}
}

// cutOff runs a command that is killed after a while. It was hit for certain if it did
// not end well.
func (lab *killLab) cutOff(t *testing.T, dir string, k killing) (output []byte, hit bool) {
	t.Helper()
	cmd := lab.command(t, dir, k.argv(lab.binary)...)
	ownProcessGroup(cmd)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	gittest.Check(t, cmd.Start())
	to, signal := k.aim()
	target := strconv.Itoa(cmd.Process.Pid)
	if to == "group" {
		target = "-" + target
	}
	timer := time.AfterFunc(k.after, func() { _ = exec.Command("kill", "-"+signal, "--", target).Run() }) // it may have ended
	err := cmd.Wait()
	timer.Stop()
	return out.Bytes(), err != nil
}

func (lab *killLab) killCommand(t *testing.T, k killing) (hit bool) {
	t.Helper()
	dir := lab.copyFor(t, k)
	old := lab.must(t, dir, "git", "rev-parse", "HEAD")
	refs := lab.must(t, dir, "git", "for-each-ref")
	var out []byte
	if k.after > 0 {
		out, hit = lab.cutOff(t, dir, k)
	} else {
		out, hit = lab.shimmed(t, dir, k)
	}
	now := lab.must(t, dir, "git", "rev-parse", "HEAD")
	switch k.what {
	case "verify":
		if after := lab.must(t, dir, "git", "for-each-ref"); after != refs || now != old {
			t.Errorf("it moved refs:\n%safter:\n%s", refs, after)
		}
	case "run":
		lab.must(t, dir, "git", "merge-base", "--is-ancestor", strings.TrimSpace(old), "HEAD")
		lab.must(t, dir, lab.binary, "step")
		if n := lab.steps(t, dir); n <= k.steps || n > k.steps+4 {
			t.Errorf("%d steps after a run of three that was cut off and one more; there were %d before\n%s", n, k.steps, out)
		}
	case "commit":
		lab.committed(t, dir, k, old, now)
	case "undo":
		lab.must(t, dir, lab.binary, "undo")
		if n := lab.steps(t, dir); n != k.steps-1 && n != k.steps-2 {
			t.Errorf("%d steps are left of %d after an undo that was cut off and another\n%s", n, k.steps, out)
		}
	}
	lab.intact(t, dir)
	return hit
}

// copyFor is a copy in which the command has something to do.
func (lab *killLab) copyFor(t *testing.T, k killing) string {
	t.Helper()
	dir := lab.copyOf(t, k.template)
	if k.what == "commit" {
		lab.must(t, dir, lab.binary, "hooks", "install")
		gittest.Write(t, filepath.Join(dir, addedByHand), "test -f src/by_hand.sh\n")
		lab.must(t, dir, "git", "add", addedByHand)
	}
	return dir
}

// committed checks that a commit by hand is there, judged, or not at all; then it is
// made again.
func (lab *killLab) committed(t *testing.T, dir string, k killing, old, now string) {
	t.Helper()
	unlock(t, dir)
	if now == old {
		lab.must(t, dir, k.argv(lab.binary)...)
	}
	if parent := lab.must(t, dir, "git", "rev-parse", "HEAD~1"); parent != old {
		t.Fatal("HEAD is neither the old commit nor one commit after it")
	}
	if n := lab.steps(t, dir); n != k.steps+1 {
		t.Errorf("%d steps; there were %d before the commit", n, k.steps)
	}
}

// unlock removes the locks of a git that was killed, as git asks for. A signal that git
// catches leaves one too, where it arrives while git makes it.
func unlock(t *testing.T, dir string) {
	t.Helper()
	gittest.Check(t, filepath.WalkDir(filepath.Join(dir, ".git"), func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".lock") {
			err = os.Remove(name)
		}
		return err
	}))
}

// steps counts the steps of the history.
func (lab *killLab) steps(t *testing.T, dir string) int {
	t.Helper()
	return strings.Count(lab.must(t, dir, "git", "log", "--format=%(trailers:key=Tdd-Step)"), "Tdd-Step")
}
