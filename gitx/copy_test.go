package gitx

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestCopy: a copy is a repository of its own, and what is left in it is told
// whatever became of its own .git.
func TestCopy(t *testing.T) {
	t.Parallel()
	g := gittest.New(t)
	g.Write(".gitignore", "*.log\n")
	g.Write("a.txt", "1\n")
	g.Write("sub/run.sh", "#!/bin/sh\n")
	g.Write("gone", "1\n")
	gittest.Check(t, os.Symlink("a.txt", g.Path("link")))
	g.Git("remote", "add", "origin", "https://example.org/x")
	g.Commit("start")
	r, err := Open(t.Context(), Options{Dir: g.Dir, Environ: g.Env})
	gittest.Check(t, err)
	defer func() { _ = r.Close() }()
	head, err := r.Head(t.Context())
	gittest.Check(t, err)
	copied := g.At(filepath.Join(t.TempDir(), "copy"))
	gittest.Check(t, r.Copy(t.Context(), head.Tree, copied.Dir))
	if n, remotes := copied.Git("rev-list", "--count", "HEAD"), copied.Git("remote"); n != "1" || remotes != "" {
		t.Errorf("%s commits, remotes %q", n, remotes)
	}
	left(t, r, copied.Dir, nil, nil)

	copied.Write("a.txt", "2\n")
	copied.Write("new/b.txt", "3\n")
	copied.Write("x.log", "noise\n")
	gittest.Check(t, os.Remove(copied.Path("gone")))
	gittest.Check(t, os.Remove(copied.Path("link")))
	gittest.Check(t, os.Symlink("/etc/passwd", copied.Path("link")))
	copied.Git("add", "-A")
	copied.Git("-c", "core.hooksPath=/dev/null", "commit", "-qm", "by itself")
	want := []TreeEdit{{Path: "a.txt", Content: []byte("2\n")}, {Path: "gone", Delete: true}, {Path: "new/b.txt", Content: []byte("3\n")}}
	left(t, r, copied.Dir, want, []string{"link"})
	gittest.Check(t, os.RemoveAll(copied.Path(".git")))
	left(t, r, copied.Dir, want, []string{"link"})
}

func left(t *testing.T, r *Repo, dir string, want []TreeEdit, odd []string) {
	t.Helper()
	head, err := r.Head(t.Context())
	gittest.Check(t, err)
	got, strange, err := r.Left(t.Context(), head.Tree, dir)
	same := slices.EqualFunc(got, want, func(a, b TreeEdit) bool {
		return a.Path == b.Path && a.Delete == b.Delete && string(a.Content) == string(b.Content)
	})
	if err != nil || !same || !slices.Equal(strange, odd) {
		t.Errorf("%v: left %v, odd %v, want %v, %v", err, got, strange, want, odd)
	}
}
