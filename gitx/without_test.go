package gitx

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// What Without leaves is what git has if the files of the folders are removed.
func TestWithout_asGitRemoves(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, "--object-format="+format)
			r := l.open()
			blob, err := r.WriteBlob(t.Context(), []byte("text\n"))
			gittest.Check(t, err)
			dice := rand.New(rand.NewPCG(3, 4))
			for range 20 {
				tree := l.mktree(dice, []ID{blob}, 2)
				for _, folders := range [][]string{nil, {"a"}, {"a/a", "b"}, {"a.b/a-b", "z/b", "a0"}, {"none", "a/none"}} {
					want := map[string]string{}
					for path, entry := range l.entriesOf(tree) {
						if !slices.ContainsFunc(folders, func(f string) bool { return strings.HasPrefix(path, f+"/") }) {
							want[path] = entry
						}
					}
					got, err := r.Without(t.Context(), tree, folders)
					if err != nil || !maps.Equal(l.entriesOf(got), want) {
						t.Fatalf("%s without %q: %v\n%v, want\n%v", tree, folders, err, l.entriesOf(got), want)
					}
					if again, err := r.Without(t.Context(), got, folders); err != nil || again != got {
						t.Errorf("without %q twice: %s, %v; want %s", folders, again, err, got)
					}
				}
			}
			l.Git("fsck", "--no-dangling", "--strict")
		})
	}
}

// A commit to one folder leaves the tree without it as it was.
func TestWithout_isTheSameWhateverTheFolderHolds(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.open()
	seen := map[ID]bool{}
	for n := range 3 {
		tree, err := r.WriteTree(t.Context(), "", []TreeEdit{put("a/one", "same"), put("b/c/two", fmt.Sprint(n))})
		gittest.Check(t, err)
		rest, err := r.Without(t.Context(), tree, []string{"b/c"})
		gittest.Check(t, err)
		seen[rest] = true
	}
	if len(seen) != 1 {
		t.Errorf("%d trees, want one: %v", len(seen), seen)
	}
}
