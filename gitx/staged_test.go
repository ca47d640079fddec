package gitx

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hooked makes a commit in a lab with a pre-commit hook that writes down its
// environment and the tree that git would commit, and refuses.
func (l *lab) hooked(tb testing.TB, dir string, args ...string) (env []string, tree ID) {
	tb.Helper()
	told := filepath.Join(tb.TempDir(), "told")
	hooks := tb.TempDir()
	script := "#!/bin/sh\nenv >" + told + "\ngit write-tree >" + told + ".tree\nexit 1\n"
	if err := os.WriteFile(filepath.Join(hooks, "pre-commit"), []byte(script), 0o755); err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command("git", append([]string{"-c", "core.hooksPath=" + hooks}, args...)...)
	cmd.Dir, cmd.Env = dir, append(slices.Clone(l.env), "GIT_EDITOR=false")
	if out, err := cmd.CombinedOutput(); err == nil {
		tb.Fatalf("the hook did not refuse: %s", out)
	}
	text, err := os.ReadFile(told)
	if err != nil {
		tb.Fatal(err)
	}
	id, err := os.ReadFile(told + ".tree")
	if err != nil {
		tb.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n"), ID(strings.TrimSpace(string(id)))
}

// TestStagedTree: in every kind of commit, the tree is the one that git commits
// and neither the index nor a lock is touched. The index that the hook named is
// gone by then in two of them, so it is asked for while the hook still runs.
func TestStagedTree(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args  []string
		setup func(*lab)
	}{
		"commit": {args: []string{"commit", "-m", "x"}, setup: func(l *lab) {
			l.write(t, "a/one.txt", "staged\n")
			l.git(t, "add", "a/one.txt")
			l.write(t, "a/one.txt", "in the working tree\n")
		}},
		"intent to add": {args: []string{"commit", "-m", "x"}, setup: func(l *lab) {
			l.write(t, "new.txt", "new\n")
			l.git(t, "add", "-N", "new.txt")
			l.git(t, "rm", "-q", "--cached", "a/one.txt")
		}},
		"split index": {args: []string{"commit", "-m", "x"}, setup: func(l *lab) {
			l.git(t, "update-index", "--split-index")
			l.write(t, "new.txt", "new\n")
			l.git(t, "add", "new.txt")
		}},
		"sparse index": {args: []string{"commit", "-m", "x"}, setup: func(l *lab) {
			l.git(t, "sparse-checkout", "init", "--cone", "--sparse-index")
			l.write(t, "new.txt", "new\n")
			l.git(t, "add", "new.txt")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := committed(t)
			tc.setup(l)
			env, want := l.hooked(t, l.dir, tc.args...)
			before := l.read(t, ".git/index")
			got, err := l.open(t).StagedTree(context.Background(), env)
			if err != nil || got != want {
				t.Errorf("%s %v, want %s", got, err, want)
			}
			if l.read(t, ".git/index") != before {
				t.Error("the index has changed")
			}
			l.tidy(t)
		})
	}
}

// TestStagedTreeOfAnotherIndex: the index that a hook's environment names is
// read even while git holds the lock of the usual one.
func TestStagedTreeOfAnotherIndex(t *testing.T) {
	t.Parallel()
	l := committed(t)
	l.write(t, "a/one.txt", "changed\n")
	data := l.read(t, ".git/index")
	l.write(t, ".git/index.lock", data)
	for _, args := range [][]string{{"update-index", "a/one.txt"}, {"write-tree"}} { // as git prepares it for commit -a
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = l.dir, append(slices.Clone(l.env), "GIT_INDEX_FILE="+l.path(".git/index.lock"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	held := l.read(t, ".git/index.lock")
	r := l.open(t)
	for _, name := range []string{".git/index.lock", l.path(".git/index.lock")} {
		tree, err := r.StagedTree(context.Background(), []string{"GIT_INDEX_FILE=" + name})
		if err != nil {
			t.Fatal(err)
		}
		text, _, err := r.Text(context.Background(), tree, "a/one.txt")
		if err != nil || string(text) != "changed\n" {
			t.Errorf("%q %v", text, err)
		}
	}
	if l.read(t, ".git/index.lock") != held || l.read(t, ".git/index") != data {
		t.Error("an index has changed")
	}
	if err := os.Remove(l.path(".git/index.lock")); err != nil {
		t.Fatal(err)
	}
}

// TestStagedTreeInAWorktree: a linked working tree has an index of its own.
func TestStagedTreeInAWorktree(t *testing.T) {
	t.Parallel()
	l := committed(t)
	other := filepath.Join(t.TempDir(), "other")
	l.git(t, "worktree", "add", "-q", other)
	if err := os.WriteFile(filepath.Join(other, "new.txt"), []byte("new\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l.git(t, "-C", other, "add", "new.txt")
	env, want := l.hooked(t, other, "commit", "-m", "x")
	for _, dir := range []string{other, filepath.Join(other, "a")} {
		r, err := Open(context.Background(), Options{Dir: dir, Environ: env})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.StagedTree(context.Background(), env); err != nil || got != want {
			t.Errorf("%s %v, want %s", got, err, want)
		}
		_ = r.Close()
	}
}

func TestStagedTreeWithoutAnIndex(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.open(t)
	got, err := r.StagedTree(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if empty, err := r.EmptyTree(context.Background()); err != nil || got != empty {
		t.Errorf("%s %v, want %s", got, err, empty)
	}
}

func TestUnpublished(t *testing.T) {
	t.Parallel()
	l := committed(t)
	first := l.rev(t, "HEAD")
	second := l.commit(t, "two")
	r := l.open(t)
	ids, err := r.Unpublished(context.Background(), second, "refs/remotes/origin")
	if err != nil || len(ids) < 2 || ids[len(ids)-1] != second {
		t.Errorf("%v %v", ids, err)
	}
	l.git(t, "update-ref", "refs/remotes/origin/main", string(first))
	ids, err = r.Unpublished(context.Background(), second, "refs/remotes/origin")
	if err != nil || !slices.Equal(ids, []ID{second}) {
		t.Errorf("%v %v", ids, err)
	}
	if ids, err = r.Unpublished(context.Background(), second, "refs/remotes/elsewhere"); err != nil || len(ids) < 2 {
		t.Errorf("%v %v", ids, err)
	}
}
