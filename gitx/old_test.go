package gitx

import (
	"errors"
	"fmt"
	"os/exec"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestOlder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		have, want string
		older      bool
	}{
		{"2.35.8", "2.36", true},
		{"2.36", "2.36", false},
		{"2.36.0", "2.36", false},
		{"2.100.1", "2.36", false},
		{"1.9", "2.36", true},
		{"2", "2.36", true},
		{"2.55.0.windows.1", "2.36", false},
	} {
		if got := Older(c.have, c.want); got != c.older {
			t.Errorf("%s is older than %s: %t", c.have, c.want, got)
		}
	}
}

// A git that does not know what is asked of it is told of by its version.
func TestOldGit(t *testing.T) {
	l := committed(t)
	real, err := exec.LookPath("git")
	gittest.Check(t, err)
	bin := t.TempDir()
	gittest.Files{"git*": fmt.Sprintf(`#!/bin/sh
case " $* " in
*" version "*) echo git version 2.35.8 ;;
*" --batch-command "*) echo 'error: unknown option' >&2; exit 129 ;;
*) exec %s "$@" ;;
esac
`, real)}.Write(t, bin)
	t.Setenv("PATH", bin)
	r := l.open()
	for _, ask := range []func() error{
		func() error { _, err := r.Object(t.Context(), "HEAD"); return err },
		func() error { _, err := r.Commit(t.Context(), "HEAD"); return err },
	} {
		if err := ask(); !errors.Is(err, ErrOld) || errors.Is(err, ErrMissing) {
			t.Error(err)
		}
	}
}
