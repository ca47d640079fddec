package gitx

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestSiblings(t *testing.T) {
	t.Parallel()
	main := gittest.New(t)
	main.Git("commit", "-q", "--allow-empty", "-m", "x")
	base := real(t, t.TempDir())
	here, gone := filepath.Join(base, "here"), filepath.Join(base, "gone")
	main.Git("worktree", "add", "-q", "--detach", here)
	main.Git("worktree", "add", "-q", "--detach", gone)
	main.Git("worktree", "lock", gone)
	gittest.Check(t, os.RemoveAll(gone))
	for _, relative := range []bool{false, true} {
		if relative { // as git worktree add --relative-paths
			to, err := filepath.Rel(filepath.Join(real(t, main.Dir), ".git", "worktrees", "here"), filepath.Join(here, ".git"))
			gittest.Check(t, err)
			gittest.Write(t, filepath.Join(main.Dir, ".git", "worktrees", "here", "gitdir"), to+"\n")
		}
		for from, want := range map[string]string{main.Dir: here, here: real(t, main.Dir)} {
			r, err := Open(t.Context(), Options{Dir: from, Environ: main.Env})
			gittest.Check(t, err)
			if got := r.Siblings(); !slices.Equal(got, []string{want}) {
				t.Errorf("from %s: %q, want %s", from, got, want)
			}
			gittest.Check(t, r.Close())
		}
	}
}
