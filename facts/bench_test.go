package facts

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

func newBench(tb testing.TB, l *lab, lang testrun.Language) *Bench {
	tb.Helper()
	b, err := takeBench(l.dirs, l.repo, lang)
	check(tb, err)
	tb.Cleanup(func() { check(tb, b.Close()) })
	return b
}

func TestExport_refusesTreesThatGitWouldNot(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := newBench(t, l, testrun.Generic())
	blob, err := l.repo.WriteBlob(t.Context(), []byte("evil"))
	check(t, err)
	mktree := func(lines string) gitx.ID {
		name := filepath.Join(t.TempDir(), "in")
		check(t, os.WriteFile(name, []byte(lines), 0o600))
		return gitx.ID(l.git(t, "-c", "alias.mk=!f() { git mktree <'"+name+"'; }; f", "mk"))
	}
	evil := mktree("100644 blob " + string(blob) + "\tconfig\n")
	link, err := l.repo.WriteBlob(t.Context(), []byte(t.TempDir()))
	check(t, err)
	for name, tree := range map[string]gitx.ID{
		".git":            mktree("040000 tree " + string(evil) + "\t.git\n"),
		".GIT":            mktree("040000 tree " + string(evil) + "\t.GIT\n"),
		"..":              mktree("040000 tree " + string(evil) + "\t..\n"),
		"file and folder": mktree("040000 tree " + string(evil) + "\ta\n120000 blob " + string(link) + "\ta\n"),
	} {
		if err := b.Export(t.Context(), l.repo, content{tree: tree}); err == nil {
			t.Errorf("%s was exported", name)
		}
		if _, err := os.Lstat(filepath.Join(b.Root, ".git")); err == nil {
			t.Error("the workbench holds a .git")
		}
	}
	if _, err := os.Lstat(filepath.Join(b.dir, "config")); err == nil {
		t.Error("wrote beside the workbench")
	}
}

// What a run has made unreadable is no obstacle, whoever we are. File system
// rights do not bind root, so the thread lays them down.
func TestExport_clearsWhatNobodyMayTouch(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := newBench(t, l, testrun.Generic())
	tree := l.tree(t, files{"sub/a": "1"})
	export(t, b, l, tree)
	locked := filepath.Join(b.Root, "cache", "mod")
	check(t, os.MkdirAll(locked, 0o700))
	check(t, os.WriteFile(filepath.Join(locked, "f"), nil, 0o400))
	check(t, os.Chmod(locked, 0o500))
	check(t, os.Chmod(filepath.Join(b.Root, "sub"), 0))
	withoutPower(t, b.dir, func() {
		root, err := os.OpenRoot(b.Root)
		check(t, err)
		defer root.Close() //nolint:errcheck // read only
		x := exporter{root: root, there: map[string]stat{}, files: map[string]bool{"sub/a": true}, folders: map[string]bool{".": true, "sub": true}}
		check(t, x.sweep(".", func(_, _ string) bool { return false }))
	})
	holds(t, b, files{"sub/a": "1"})
}

func TestTakeBench(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	a, b := newBench(t, l, testrun.Generic()), newBench(t, l, testrun.Generic())
	if a.Root == b.Root {
		t.Fatal("two users of one workbench")
	}
	c, err := takeBench(l.dirs, l.repo, testrun.Generic())
	check(t, err)
	was := c.Root
	check(t, c.Close())
	if d := newBench(t, l, testrun.Generic()); d.Root != was {
		t.Errorf("took %s, though %s is free", d.Root, was)
	}
}

func TestTakeBench_refusesACacheInsideTheRepository(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	link := filepath.Join(t.TempDir(), "link")
	check(t, os.Symlink(l.dir, link))
	for _, cache := range []string{l.dir, filepath.Join(l.dir, "a", "b"), filepath.Join(l.dir, ".git"), filepath.Join(link, "c")} {
		if b, err := takeBench(Dirs{Cache: cache, State: l.dirs.State}, l.repo, testrun.Generic()); err == nil {
			t.Errorf("took %s", b.Root)
		}
	}
	if got := l.git(t, "status", "--porcelain", "--ignored"); got != "" {
		t.Errorf("left behind: %s", got)
	}
}
