package facts

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/testrun"
)

func export(tb testing.TB, b *workbench, l *lab, tree gitx.ID) {
	tb.Helper()
	gittest.Check(tb, b.Export(context.Background(), l.repo, content{tree: tree}))
}

// holds checks that a workbench holds the files of a tree and nothing else,
// with the right modes.
func holds(tb testing.TB, b *workbench, f files, but ...string) {
	tb.Helper()
	have := snapshot(tb, b.Root, but...)
	seen := map[string]bool{}
	for name, content := range f {
		plain := strings.TrimRight(name, "*@")
		mode := "-rw-------"
		switch {
		case strings.HasSuffix(name, "*"):
			mode = "-rwx------"
		case strings.HasSuffix(name, "@"):
			mode = "Lrwxrwxrwx"
		}
		seen["/"+plain] = true
		if got := have["/"+plain]; !strings.HasPrefix(got, mode) || !strings.HasSuffix(got, content) {
			tb.Errorf("%s is %q, want %s %q", plain, got, mode, content)
		}
	}
	for name, what := range have {
		if !seen[name] && !strings.HasPrefix(what, "d") {
			tb.Errorf("%s is there: %s", name, what)
		}
	}
}

func TestExport_writesOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := newWorkbench(t, l, testrun.Generic())
	export(t, b, l, l.tree(files{"same": "1", "sub/same": "2", "changed": "3", "gone": "4"}))
	was := map[string]stat{}
	for _, name := range []string{"same", "sub/same", "changed"} {
		was[name] = statIn(t, b, name)
	}
	want := files{"same": "1", "sub/same": "2", "changed": "5", "new": "6"}
	export(t, b, l, l.tree(want))
	holds(t, b, want)
	for name, then := range was {
		if again := statIn(t, b, name) != then; again != (name == "changed") {
			t.Errorf("%s: written again: %t", name, again)
		}
	}
}

func statIn(tb testing.TB, b *workbench, name string) stat {
	tb.Helper()
	fi, err := os.Lstat(filepath.Join(b.Root, name))
	gittest.Check(tb, err)
	return statOf(fi)
}

func TestExport_changesOfKind(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := newWorkbench(t, l, testrun.Generic())
	kinds := []files{
		{"a": "file", "other": "x"},
		{"a/b/c": "folder", "a/d": "more"},
		{"a@": "other", "other": "x"},
		{"a*": "file", "other": "x"},
		{"a": "file", "other@": "a"},
		{},
		{"a/b": "not c"},
		{"a@": "/etc"},
		{"a/passwd": "mine", "b": "2"},
	}
	for i := range kinds {
		for _, want := range []files{kinds[i], kinds[(i+3)%len(kinds)], kinds[(i+5)%len(kinds)]} {
			export(t, b, l, l.tree(want))
			holds(t, b, want)
		}
	}
}

func TestExport_oddNames(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := newWorkbench(t, l, testrun.Generic())
	want := files{
		"with space": "1", "line\nbreak": "2", "tab\there": "3", `quo"te\back`: "4", "-dash": "5", "ünï": "6",
		"\xff\xfe": "7", "\xff\xfd": "8", "\ufffd\ufffd": "9", "...": "10", "a/...b/c": "11", "GIT": "12", "x.git/y": "13",
	}
	tree := l.tree(want)
	export(t, b, l, tree)
	holds(t, b, want)
	before := statIn(t, b, "\xff\xfe")
	export(t, b, l, tree)
	holds(t, b, want)
	if statIn(t, b, "\xff\xfe") != before {
		t.Error("a name that is no UTF-8 is written each time")
	}
}

func TestExport_sweepsWhatARunDropped(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := newWorkbench(t, l, language(t, "rust"))
	want := files{"Cargo.toml": "[package]", "src/lib.rs": "", "tests/t.rs": "", "sub/Cargo.toml": ""}
	tree := l.tree(want)
	export(t, b, l, tree)
	for _, name := range []string{
		"target/debug/out", "sub/target/debug/out", // build output
		"tests/target/main.rs", // cargo would take this for a test
		"dropped", "src/dropped.rs", "deep/er/dropped", ".hidden/x",
	} {
		gittest.Write(t, filepath.Join(b.Root, name), "")
	}
	gittest.Check(t, os.Symlink("/etc", filepath.Join(b.Root, "src", "link")))
	gittest.Check(t, exec.CommandContext(t.Context(), "mkfifo", filepath.Join(b.Root, "pipe")).Run())
	export(t, b, l, tree)
	holds(t, b, want, "target", "sub/target")
	for _, name := range []string{"target/debug/out", "sub/target/debug/out"} {
		if _, err := os.Stat(filepath.Join(b.Root, name)); err != nil {
			t.Error("build output is gone:", err)
		}
	}
	// A link in the place of a build folder is none.
	gittest.Check(t, os.RemoveAll(filepath.Join(b.Root, "target")))
	outside := t.TempDir()
	gittest.Write(t, filepath.Join(outside, "precious"), "")
	gittest.Check(t, os.Symlink(outside, filepath.Join(b.Root, "target")))
	export(t, b, l, tree)
	holds(t, b, want, "sub/target")
	if _, err := os.Stat(filepath.Join(outside, "precious")); err != nil {
		t.Error("followed a link out:", err)
	}
}

// What a project calls build output is kept, wherever it is, and nothing else
// is.
func TestExport_keepsWhatTheProjectNames(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := newWorkbench(t, l, testrun.Language{Name: "own", Keep: []string{"out", "build/deep/cache", "src/gen"}})
	tree := l.tree(files{"src/a": "1"})
	export(t, b, l, tree)
	kept := files{"src/a": "1", "out/x": "1", "build/deep/cache/x": "1", "src/gen/x": "1"}
	for _, name := range []string{"out/x", "build/deep/cache/x", "src/gen/x", "build/x", "build/deep/x", "src/out/x", "gen/x"} {
		gittest.Write(t, filepath.Join(b.Root, name), "1")
	}
	export(t, b, l, tree)
	holds(t, b, kept)
}

func TestExport_noticesWhatIsHidden(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := newWorkbench(t, l, testrun.Generic())
	want := files{"a": "right", "b@": "right", "c*": "right", "sub/d": "right"}
	tree := l.tree(want)
	path := func(name string) string { return filepath.Join(b.Root, name) }
	tampers := map[string]func(){
		"content, times set back": func() {
			fi, err := os.Stat(path("a"))
			gittest.Check(t, err)
			gittest.Write(t, path("a"), "wrong")
			gittest.Check(t, os.Chtimes(path("a"), fi.ModTime(), fi.ModTime()))
		},
		"link":       func() { gittest.Check(t, os.Remove(path("b"))); gittest.Check(t, os.Symlink("wrong", path("b"))) },
		"executable": func() { gittest.Check(t, os.Chmod(path("c"), 0o600)) },
		"replaced by a folder": func() {
			gittest.Check(t, os.Remove(path("a")))
			gittest.Check(t, os.MkdirAll(path("a/a"), 0o700))
		},
		"folder replaced by a link": func() {
			outside := t.TempDir()
			gittest.Write(t, filepath.Join(outside, "d"), "wrong")
			gittest.Check(t, os.RemoveAll(path("sub")))
			gittest.Check(t, os.Symlink(outside, path("sub")))
		},
		"hard link to a file outside": func() {
			outside := filepath.Join(t.TempDir(), "outside")
			gittest.Write(t, outside, "wrong")
			gittest.Check(t, os.Remove(path("a")))
			gittest.Check(t, os.Link(outside, path("a")))
			t.Cleanup(func() {
				if got, err := os.ReadFile(outside); err != nil || string(got) != "wrong" {
					t.Errorf("wrote through a hard link: %q, %v", got, err)
				}
			})
		},
		"gone": func() { gittest.Check(t, os.RemoveAll(path("sub"))) },
	}
	export(t, b, l, tree)
	for name, tamper := range tampers {
		tamper()
		export(t, b, l, tree)
		t.Log(name)
		holds(t, b, want)
	}
}

// A change within the clock tick in which we wrote a file does not show in its
// times. The record is changed to look as if that had happened.
func TestExport_noticesWhatNoTimeTells(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := newWorkbench(t, l, testrun.Generic())
	tree := l.tree(files{"a": "right"})
	export(t, b, l, tree)
	file := filepath.Join(b.Root, "a")
	gittest.Write(t, file, "wrong")
	fi, err := os.Lstat(file)
	gittest.Check(t, err)
	m := loadManifest(b.manifest())
	e := m["."]["a"]
	e.Stat = statOf(fi)
	m["."]["a"] = e
	gittest.Check(t, m.save(b.manifest()))
	export(t, b, l, tree)
	holds(t, b, files{"a": "right"})
}

func TestExport_submoduleLeavesNothing(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := newWorkbench(t, l, testrun.Generic())
	export(t, b, l, l.tree(files{"sub": "a file", "x": "1"}))
	tree, err := l.repo.WriteTree(t.Context(), l.tree(files{"x": "1"}), []gitx.TreeEdit{
		{Path: "sub", Mode: gitx.ModeSubmodule, Blob: gitx.ID(strings.Repeat("1", 40))},
	})
	gittest.Check(t, err)
	export(t, b, l, tree)
	holds(t, b, files{"x": "1"})
}

func TestExport_damagedManifest(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := newWorkbench(t, l, testrun.Generic())
	want := files{"a": "1", "b/c": "2"}
	tree := l.tree(want)
	export(t, b, l, tree)
	good, err := os.ReadFile(b.manifest())
	gittest.Check(t, err)
	for i := range good {
		bad := append([]byte{}, good...)
		bad[i] ^= 1 << (i % 8)
		gittest.Check(t, os.WriteFile(b.manifest(), bad[:len(bad)-i%3], 0o600))
		gittest.Check(t, os.WriteFile(filepath.Join(b.Root, "a"), []byte("0"), 0o600))
		export(t, b, l, tree)
		holds(t, b, want)
	}
}
