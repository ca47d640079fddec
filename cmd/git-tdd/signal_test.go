package main

import (
	"bytes"
	"fmt"
	"os"
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
	every := 11
	if os.Getenv("TDD_LONG") != "" {
		every = 1
	}
	template := lab.template(t, 3)
	points := 0
	for _, what := range []string{"step", "undo"} {
		calls := lab.count(t, killing{template: template, what: what})
		for at := 1; at <= calls; at++ {
			for _, when := range []string{"group-INT", "group-TERM", "group-HUP", "pid-INT", "pid-TERM"} {
				if points++; points%every != 0 {
					continue
				}
				k := killing{template: template, steps: 3, at: at, when: when, what: what}
				t.Run(fmt.Sprintf("%s/%s/%d", k.command(), when, at), func(t *testing.T) {
					t.Parallel()
					lab.signal(t, k)
				})
			}
		}
	}
	t.Logf("%d points, every %d tried", points, every)
}

func (lab *killLab) signal(t *testing.T, k killing) {
	t.Helper()
	dir := lab.copyOf(t, k.template)
	old := lab.must(t, dir, "git", "rev-parse", "HEAD")
	_, out := lab.shimmed(t, dir, k)

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
}
