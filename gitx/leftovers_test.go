package gitx

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// TestLeftovers: what crashes leave behind is named, and Recover takes away what
// is ours and nothing else.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	l := committed(t)
	l.Git("worktree", "add", "--quiet", filepath.Join(l.TempDir(), "whole"))
	r := l.open()
	gittest.Check(t, r.makeStateDir())
	if found, err := r.Leftovers(); err != nil || len(found) > 0 {
		t.Errorf("in a sound repository: %v %v", found, err)
	}
	want := map[string]bool{ // ours?
		".git/index.lock": false, ".git/refs/heads/main.lock": false, ".git/refs/tdd/attempts.lock": true,
		".git/tdd/tmp-1/x": true, ".git/worktrees/half/gitdir": false,
	}
	long := time.Now().Add(-24 * time.Hour)
	for name := range want {
		l.Write(name, "")
		gittest.Check(t, os.Chtimes(l.Path(name), long, long))
	}
	gittest.Check(t, os.Chtimes(l.Path(".git/tdd/tmp-1"), long, long))
	l.Write(".git/HEAD.lock", "") // somebody may hold it
	check := func(when string, want int) {
		found, err := r.Leftovers()
		if err != nil || len(found) != want {
			t.Errorf("%s: %v %v", when, found, err)
		}
	}
	check("before", 5)
	r.staleAfter = time.Millisecond
	if _, err := r.Recover(context.Background()); err != nil {
		t.Fatal(err)
	}
	check("after a recovery", 3)
	for name, ours := range want {
		if l.exists(name) == ours {
			t.Errorf("%s: there %v, ours %v", name, l.exists(name), ours)
		}
	}
}

// TestMatches: the folder's own path is no pattern, whatever characters it has.
func TestMatches(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a[b")
	gittest.Files{"refs/tdd/next.lock": "", "refs/tdd/tmp/x.lock": "", "refs/x.lock": ""}.Write(t, dir)
	if got := wholefile.Matching(dir, "refs/tdd/*.lock", "refs/tdd/*/*.lock"); len(got) != 2 {
		t.Errorf("%q", got)
	}
}
