package facts

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/testrun"
)

func newWorkbench(tb testing.TB, l *lab, lang testrun.Language) *workbench {
	tb.Helper()
	b, err := takeWorkbench(l.dirs, l.repo, "", lang)
	gittest.Check(tb, err)
	tb.Cleanup(func() { gittest.Check(tb, b.Close()) })
	return b
}

func TestExport_refusesTreesThatGitWouldNot(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := newWorkbench(t, l, testrun.Generic())
	blob, err := l.repo.WriteBlob(t.Context(), []byte("evil"))
	gittest.Check(t, err)
	mktree := func(lines string) gitx.ID { return gitx.ID(l.Feed(lines, "mktree")) }
	evil := mktree("100644 blob " + string(blob) + "\tconfig\n")
	link, err := l.repo.WriteBlob(t.Context(), []byte(t.TempDir()))
	gittest.Check(t, err)
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

// Unreadable files left by a run are no obstacle for any user. File permissions
// do not apply to root, so the thread gives up that privilege.
func TestExport_clearsWhatNobodyMayTouch(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := newWorkbench(t, l, testrun.Generic())
	tree := l.tree(files{"sub/a": "1"})
	export(t, b, l, tree)
	locked := filepath.Join(b.Root, "cache", "mod")
	gittest.Check(t, os.MkdirAll(locked, 0o700))
	gittest.Check(t, os.WriteFile(filepath.Join(locked, "f"), nil, 0o400))
	gittest.Check(t, os.Chmod(locked, 0o500))
	gittest.Check(t, os.Chmod(filepath.Join(b.Root, "sub"), 0))
	withoutPower(t, b.dir, func() {
		root, err := os.OpenRoot(b.Root)
		gittest.Check(t, err)
		defer root.Close() //nolint:errcheck // read only
		x := exporter{workbench: b, root: root, tree: layout{folders: map[string]gitx.ID{".": "", "sub": ""}}}
		_, below, err := x.sweep(".", nil)
		gittest.Check(t, err)
		if !slices.Equal(below, []string{"sub"}) {
			t.Errorf("%q are folders of the tree", below)
		}
		_, _, err = x.sweep("sub", []gitx.Entry{{Path: "a"}})
		gittest.Check(t, err)
	})
	holds(t, b, files{"sub/a": "1"})
}

func TestTakeWorkbench(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	a, b := newWorkbench(t, l, testrun.Generic()), newWorkbench(t, l, testrun.Generic())
	if a.Root == b.Root {
		t.Fatal("two users of one workbench")
	}
	c, err := takeWorkbench(l.dirs, l.repo, "", testrun.Generic())
	gittest.Check(t, err)
	was := c.Root
	gittest.Check(t, c.Close())
	if d := newWorkbench(t, l, testrun.Generic()); d.Root != was {
		t.Errorf("took %s, though %s is free", d.Root, was)
	}
}

func TestTakeWorkbench_refusesACacheInsideTheRepository(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	link := filepath.Join(t.TempDir(), "link")
	gittest.Check(t, os.Symlink(l.Dir, link))
	for _, cache := range []string{l.Dir, filepath.Join(l.Dir, "a", "b"), filepath.Join(l.Dir, ".git"), filepath.Join(link, "c")} {
		if b, err := takeWorkbench(Dirs{Cache: cache, State: l.dirs.State}, l.repo, "", testrun.Generic()); err == nil {
			t.Errorf("took %s", b.Root)
		}
	}
	if got := l.Git("status", "--porcelain", "--ignored"); got != "" {
		t.Errorf("left behind: %s", got)
	}
}
