package gitx

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestCachedTree: whatever was done to an index, in every version of it, the
// tree that it names is the one that git writes; and if git has just recorded
// it, it is found.
func TestCachedTree(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2", "3", "4"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			l := committed(t)
			l.Git("update-index", "--index-version", version)
			for n := range 40 {
				l.Write(fmt.Sprintf("d%d/%s.txt", n%4, strings.Repeat("long", n*n%50)), "text\n")
			}
			l.Git("add", ".")
			l.Git("commit", "-qm", "many")
			r := l.open()
			agree := func(what string, written bool) {
				t.Helper()
				got, ok := r.cachedTree(l.Path(".git/index"))
				want, err := r.askTree(context.Background(), l.Path(".git/index"))
				if err != nil || ok && got != want || written && !ok {
					t.Errorf("%s: %s %v, want %s %v", what, got, ok, want, err)
				}
			}
			agree("just committed", true)
			l.Write("d1/more.txt", "more\n")
			l.Git("add", "d1")
			agree("added to", false)
			l.Git("write-tree")
			agree("written", false)
			l.Write("later.txt", "later\n")
			l.Git("add", "-N", "later.txt")
			agree("with a file to be added later", false)
			l.Git("commit", "-qm", "without it")
			agree("committed without it", false)
			l.Git("rm", "-rq", "--cached", "d2")
			agree("removed from", false)
			l.Git("read-tree", "HEAD")
			agree("read anew", true)
			l.Git("update-index", "--split-index")
			agree("split", false)
		})
	}
}

// TestTreeOfIndex: an index that is cut off anywhere, or overwritten, is
// refused.
func TestTreeOfIndex(t *testing.T) {
	t.Parallel()
	l := committed(t)
	data, err := os.ReadFile(l.Path(".git/index"))
	gittest.Check(t, err)
	whole, ok := treeOfIndex(data)
	if !ok {
		t.Fatal("not found")
	}
	for end := range data {
		if tree, ok := treeOfIndex(data[:end]); ok && tree == whole {
			t.Errorf("found in the first %d of %d bytes", end, len(data))
		}
		damaged := append([]byte{}, data...)
		damaged[end] ^= 0xff
		treeOfIndex(damaged) // must not panic
	}
}
