package main

import (
	"runtime"
	"strings"
	"testing"
)

// TestKillUndo kills an undo before, during and after each of its git commands:
// the branch is where it was or one step back, the user's own files are
// untouched, and the next command recovers by itself.
func TestKillUndo(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	lab := newKillLab(t)
	k := killing{template: lab.template(t, 3), steps: 3, what: "undo"}
	lab.atEachCall(t, k, []string{"before", "during", "after"}, 4, lab.killUndo)
}

func (lab *killLab) killUndo(t *testing.T, k killing) (hit bool) {
	t.Helper()
	dir := lab.copyOf(t, k.template)
	old := lab.must(t, dir, "git", "rev-parse", "HEAD")
	before := lab.must(t, dir, "git", "rev-parse", "HEAD~1")
	_, hit = lab.shimmed(t, dir, k)
	switch lab.must(t, dir, "git", "rev-parse", "HEAD") {
	case old:
	case before:
		if kept := lab.must(t, dir, "git", "for-each-ref", "--format=%(objectname)", "refs/tdd/undone"); kept != old {
			t.Errorf("%q is kept, want %q", kept, old)
		}
	default:
		t.Fatal("HEAD is neither the old commit nor the one before")
	}
	lab.must(t, dir, "git", "fsck", "--strict")
	lab.must(t, dir, lab.binary, "undo")
	if n := strings.Count(lab.must(t, dir, "git", "log", "--format=%(trailers:key=Tdd-Step)"), "Tdd-Step"); n != 1 && n != 2 {
		t.Errorf("%d steps are left of 3 after a killed undo and another", n)
	}
	lab.intact(t, dir)
	return hit
}
