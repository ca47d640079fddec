package gitx

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// hooked makes a commit with a pre-commit hook that writes down its environment
// and the tree that git would commit, and refuses.
func (l *lab) hooked() (env []string, tree ID) {
	l.Helper()
	told, hooks := filepath.Join(l.TempDir(), "told"), l.TempDir()
	gittest.Files{"pre-commit*": "#!/bin/sh\nenv >" + told + "\ngit write-tree >" + told + ".tree\nexit 1\n"}.Write(l, hooks)
	cmd := l.Command("-c", "core.hooksPath="+hooks, "commit", "-m", "x")
	cmd.Env = append(cmd.Env, "GIT_EDITOR=false")
	if out, err := cmd.CombinedOutput(); err == nil {
		l.Fatalf("the hook did not refuse: %s", out)
	}
	return strings.Split(strings.TrimSpace(gittest.Read(l, told)), "\n"), ID(strings.TrimSpace(gittest.Read(l, told+".tree")))
}

// TestStagedTree: in every kind of commit, the tree is the one that git commits
// and neither the index nor a lock is touched. In two of them the hook's index
// is gone afterwards, so it is read while the hook still runs.
func TestStagedTree(t *testing.T) {
	t.Parallel()
	for name, setUp := range map[string]func(*lab){
		"commit": func(l *lab) {
			l.Write("a/one.txt", "staged\n")
			l.Git("add", "a/one.txt")
			l.Write("a/one.txt", "in the working tree\n")
		},
		"intent to add": func(l *lab) {
			l.Write("new.txt", "new\n")
			l.Git("add", "-N", "new.txt")
			l.Git("rm", "-q", "--cached", "a/one.txt")
		},
		"split index": func(l *lab) {
			l.Git("update-index", "--split-index")
			l.Write("new.txt", "new\n")
			l.Git("add", "new.txt")
		},
		"sparse index": func(l *lab) {
			l.Git("sparse-checkout", "init", "--cone", "--sparse-index")
			l.Write("new.txt", "new\n")
			l.Git("add", "new.txt")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := committed(t)
			setUp(l)
			env, want := l.hooked()
			before := l.Read(".git/index")
			got, err := l.open().StagedTree(context.Background(), env)
			if err != nil || got != want {
				t.Errorf("%s %v, want %s", got, err, want)
			}
			if l.Read(".git/index") != before {
				t.Error("the index has changed")
			}
			l.tidy()
		})
	}
}

// TestStagedTreeOfAnotherIndex: the index named by a hook's environment is read
// even while git holds the lock of the usual one.
func TestStagedTreeOfAnotherIndex(t *testing.T) {
	t.Parallel()
	l := committed(t)
	l.Write("a/one.txt", "changed\n")
	data := l.Read(".git/index")
	l.Write(".git/index.lock", data)
	cmd := l.Command("update-index", "a/one.txt")
	cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+l.Path(".git/index.lock"))
	gittest.Run(t, cmd)
	cmd = l.Command("write-tree") // as git prepares it for commit -a
	cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+l.Path(".git/index.lock"))
	gittest.Run(t, cmd)
	held := l.Read(".git/index.lock")
	r := l.open()
	for _, name := range []string{".git/index.lock", l.Path(".git/index.lock")} {
		tree, err := r.StagedTree(context.Background(), []string{"GIT_INDEX_FILE=" + name})
		gittest.Check(t, err)
		text, _, err := r.Text(context.Background(), tree, "a/one.txt")
		if err != nil || string(text) != "changed\n" {
			t.Errorf("%q %v", text, err)
		}
	}
	if l.Read(".git/index.lock") != held || l.Read(".git/index") != data {
		t.Error("an index has changed")
	}
	l.remove(".git/index.lock")
}

// TestStagedTreeWithoutALock: the index is neither locked nor changed, nothing waits for
// its lock, and nothing is kept in a repository that git-tdd does not know.
func TestStagedTreeWithoutALock(t *testing.T) {
	t.Parallel()
	l := committed(t)
	l.Write("a/one.txt", "changed\n")
	l.Git("update-index", "a/one.txt")
	before := l.Read(".git/index")
	l.Write(".git/index.lock", "theirs")
	tree, err := l.open().StagedTree(context.Background(), nil)
	gittest.Check(t, err)
	if l.Read(".git/index") != before || l.Read(".git/index.lock") != "theirs" || l.exists(".git/tdd") {
		t.Error("the repository has changed")
	}
	l.remove(".git/index.lock")
	if want := l.Git("write-tree"); string(tree) != want {
		t.Errorf("%s, want %s", tree, want)
	}
	l.tidy()
}

// TestStagedTreeInAWorktree: a linked working tree has its own index.
func TestStagedTreeInAWorktree(t *testing.T) {
	t.Parallel()
	other := committed(t).worktree()
	other.Write("new.txt", "new\n")
	other.Git("add", "new.txt")
	env, want := other.hooked()
	for _, dir := range []string{other.Dir, other.Path("a")} {
		r, err := Open(context.Background(), Options{Dir: dir, Environ: env})
		gittest.Check(t, err)
		if got, err := r.StagedTree(context.Background(), env); err != nil || got != want {
			t.Errorf("%s %v, want %s", got, err, want)
		}
		_ = r.Close()
	}
}

func TestStagedTreeWithoutAnIndex(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.open()
	got, err := r.StagedTree(context.Background(), nil)
	gittest.Check(t, err)
	if empty, err := r.WriteTree(context.Background(), "", nil); err != nil || got != empty {
		t.Errorf("%s %v, want %s", got, err, empty)
	}
}

func TestUnpublished(t *testing.T) {
	t.Parallel()
	l := committed(t)
	first := l.rev("HEAD")
	second := l.commit("two")
	r := l.open()
	ids, err := r.Unpublished(context.Background(), second, "refs/remotes/origin")
	if err != nil || len(ids) < 2 || ids[len(ids)-1] != second {
		t.Errorf("%v %v", ids, err)
	}
	l.Git("update-ref", "refs/remotes/origin/main", string(first))
	ids, err = r.Unpublished(context.Background(), second, "refs/remotes/origin")
	if err != nil || !slices.Equal(ids, []ID{second}) {
		t.Errorf("%v %v", ids, err)
	}
	if ids, err = r.Unpublished(context.Background(), second, "refs/remotes/elsewhere"); err != nil || len(ids) < 2 {
		t.Errorf("%v %v", ids, err)
	}
}

// TestWorkingTree: the tree is what a commit of everything would hold, and the
// index stays as it is.
func TestWorkingTree(t *testing.T) {
	t.Parallel()
	g := gittest.New(t)
	g.Write(".gitignore", "*.log\n")
	g.Write("kept", "1\n")
	g.Write("gone", "1\n")
	g.Commit("start")
	g.Write("kept", "2\n")
	g.Write("new/file", "1\n")
	g.Write("x.log", "1\n")
	g.Git("rm", "--quiet", "gone")
	before := g.Git("ls-files", "--stage")
	r, err := Open(t.Context(), Options{Dir: g.Dir, Environ: g.Env})
	gittest.Check(t, err)
	defer func() { _ = r.Close() }()
	tree, err := r.WorkingTree(t.Context())
	gittest.Check(t, err)
	if want := g.Tree(gittest.Files{".gitignore": "*.log\n", "kept": "2\n", "new/file": "1\n"}); string(tree) != want {
		t.Errorf("tree %s, want %s", tree, want)
	}
	if after := g.Git("ls-files", "--stage"); after != before {
		t.Errorf("the index moved:\n%s", after)
	}
}
