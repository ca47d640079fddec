package main

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
)

// TestSignals interrupts a step and an undo at each of their git commands, by a
// signal to the process or to its whole group. Unlike a kill, that leaves nothing
// for the next command to mend: what has begun to land is landed.
func TestSignals(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	lab := newKillLab(t)
	template := lab.template(t, 3)
	for _, what := range []string{"step", "undo"} {
		lab.atEachCall(t, killing{template: template, steps: 3, what: what}, signals(), 11, lab.signal)
	}
}

// signals are those that ask a process to end, to it alone and to its group.
func signals() []string {
	return []string{"group-INT", "group-TERM", "group-HUP", "pid-INT", "pid-TERM", "pid-HUP"}
}

func (lab *killLab) signal(t *testing.T, k killing) (hit bool) {
	t.Helper()
	dir := lab.copyOf(t, k.template)
	old := lab.must(t, dir, "git", "rev-parse", "HEAD")
	out, hit := lab.shimmed(t, dir, k)

	now, before := lab.must(t, dir, "git", "rev-parse", "HEAD"), old
	if k.what == "undo" {
		before = lab.must(t, dir, "git", "rev-parse", strings.TrimSpace(old)+"~1")
	}
	if now != old && now != before && lab.must(t, dir, "git", "rev-parse", "HEAD~1") != before {
		t.Fatalf("HEAD is neither where it was nor where the command leads\n%s", out)
	}
	if said := bytes.Contains(out, []byte("interrupted; nothing is lost: HEAD is at "+now[:8])); !said && now == old {
		t.Errorf("it does not say where HEAD is:\n%s", out)
	}
	if left := lab.must(t, dir, "git", "for-each-ref", "refs/tdd/next"); strings.TrimSpace(left) != "" {
		t.Errorf("the landing is not finished: %s\n%s", left, out)
	}
	lab.intact(t, dir)
	return hit
}
