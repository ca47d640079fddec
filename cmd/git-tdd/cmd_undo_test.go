package main

import (
	"fmt"
	"os"
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
	template := lab.template(t, 3)
	every := 4
	if os.Getenv("TDD_LONG") != "" {
		every = 1
	}
	points := 0
	calls := lab.count(t, killing{template: template, what: "undo"})
	for at := 1; at <= calls; at++ {
		for _, when := range []string{"before", "during", "after"} {
			if points++; points%every != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", when, at), func(t *testing.T) {
				t.Parallel()
				lab.killUndo(t, killing{template: template, at: at, when: when, what: "undo"})
			})
		}
	}
}

func (lab *killLab) killUndo(t *testing.T, k killing) {
	t.Helper()
	dir := lab.copyOf(t, k.template)
	old := lab.must(t, dir, "git", "rev-parse", "HEAD")
	before := lab.must(t, dir, "git", "rev-parse", "HEAD~1")
	lab.shimmed(t, dir, k)
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
}
