package main

import (
	"os"
	"strconv"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestFaults lets the kernel refuse each write, flush, rename, read and so on of a
// step, of git and of tests as well as ours: once, and from then on. Whatever the step
// makes of that, the repository is as before it or as after it, the user's own work
// is there, and the next step goes on. TDD_LONG=1 tries every point, otherwise some.
func TestFaults(t *testing.T) {
	t.Parallel()
	stride := 97
	if os.Getenv("TDD_LONG") != "" {
		stride = 1
	}
	lab := newKillLab(t)
	template := lab.template(t, 1)
	for _, fault := range gittest.Faults() {
		for _, often := range []string{"", "+"} {
			t.Run(fault.Error+often+"/"+fault.Calls, func(t *testing.T) {
				t.Parallel()
				points := 0
				for at := 1; ; at += stride {
					dir := lab.copyOf(t, template)
					old := lab.must(t, dir, "git", "rev-parse", "HEAD")
					cmd := lab.command(t, dir, lab.binary, "step")
					struck := gittest.Suffer(t, cmd, fault, strconv.Itoa(at)+often)
					out, err := cmd.CombinedOutput()
					if now := lab.must(t, dir, "git", "rev-parse", "HEAD"); err == nil && now == old {
						t.Errorf("it said that the step is taken, and it is not")
					}
					if lab.recovers(t, dir, old, 1); t.Failed() {
						t.Fatalf("call %d: %v\n%s", at, err, out)
					}
					if !struck() {
						break
					}
					points++
				}
				if t.Logf("%d points", points); points == 0 {
					t.Error("no fault was injected")
				}
			})
		}
	}
}
