//go:build unix

package gitx

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestLandingOutlivesSignals: an interrupt at the terminal can reach a child
// before it has a process group of its own. The landing is finished all the
// same, whichever of its git commands that was.
func TestLandingOutlivesSignals(t *testing.T) {
	t.Parallel()
	real, err := exec.LookPath("git")
	gittest.Check(t, err)
	for _, when := range []string{"INT before", "HUP before", "TERM after"} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			bin := t.TempDir()
			gittest.Files{"git*": dyingGit(bin, real, when)}.Write(t, bin)
			points := 0
			for at := 1; ; at++ {
				l := landLab(t)
				landing := l.step(l.open(), everything(l)...)
				for name, n := range map[string]int{"count": 0, "at": at} {
					gittest.Write(t, filepath.Join(bin, name), strconv.Itoa(n))
				}
				r := l.open()
				r.git = filepath.Join(bin, "git")
				if err := r.Land(context.Background(), landing); err != nil {
					t.Fatalf("git command %d killed: %v", at, err)
				}
				l.landed(landing, mineStatus)
				l.mineUntouched()
				if n, err := strconv.Atoi(gittest.Read(t, filepath.Join(bin, "count"))); err != nil || n < at {
					break
				}
				points++
			}
			if points < 8 {
				t.Errorf("%d points: the signals missed", points)
			}
		})
	}
}

// dyingGit is a git of which one command dies of a signal, before or after it
// has done its work. It counts in the folder bin.
func dyingGit(bin, real, when string) string {
	signal, moment, _ := strings.Cut(when, " ")
	before, after := "kill -"+signal+" $$", ":"
	if moment == "after" {
		before, after = ":", before
	}
	return fmt.Sprintf(`#!/bin/sh
n=$(($(cat %[1]s/count) + 1))
printf %%s $n >%[1]s/count
[ $n = "$(cat %[1]s/at)" ] || exec %[2]s "$@"
%[3]s
%[2]s "$@"
%[4]s
`, bin, real, before, after)
}
