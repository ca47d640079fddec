package gitx

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// entriesOf asks git itself what a tree holds.
func (l *lab) entriesOf(tree ID) map[string]string {
	l.Helper()
	have := map[string]string{}
	for rec := range strings.SplitSeq(l.Git("ls-tree", "-r", "-z", "--full-tree", string(tree)), "\x00") {
		if meta, name, ok := strings.Cut(rec, "\t"); ok {
			have[name] = meta
		}
	}
	return have
}

func TestWriteTree(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			l := newLab(t, "--object-format="+format)
			r := l.open()
			empty, err := r.WriteTree(ctx, "", nil)
			gittest.Check(t, err)
			none, err := r.WriteTree(ctx, "", nil)
			if err != nil || none != empty {
				t.Fatalf("no edits on the empty tree: %s %v", none, err)
			}
			if got, err := r.WriteTree(ctx, "", []TreeEdit{{Path: "absent", Delete: true}}); err != nil || got != empty {
				t.Errorf("a deletion from the empty tree: %s %v", got, err)
			}
			var edits []TreeEdit
			for _, name := range oddNames() {
				edits = append(edits, put(name, "content of "+name))
			}
			edits = append(edits, TreeEdit{Path: "run.sh", Mode: ModeExecutable, Content: []byte("#!/bin/sh\n")},
				TreeEdit{Path: "link", Mode: ModeSymlink, Content: []byte("run.sh")})
			tree, err := r.WriteTree(ctx, "", edits)
			gittest.Check(t, err)
			if edits[0].Blob != "" {
				t.Error("the caller's edits were changed")
			}
			have := l.entriesOf(tree)
			if len(have) != len(edits) || !strings.HasPrefix(have["run.sh"], "100755 ") || !strings.HasPrefix(have["link"], "120000 ") {
				t.Errorf("%d entries of %d; %q %q", len(have), len(edits), have["run.sh"], have["link"])
			}
			// An edit keeps the mode; an existing blob is used as it is.
			id := ID(strings.Fields(have["link"])[2])
			second, err := r.WriteTree(ctx, tree, []TreeEdit{
				put("run.sh", "#!/bin/sh\nexit 1\n"), {Path: "copy", Blob: id}, {Path: "new\nline", Delete: true}, {Path: "absent", Delete: true},
			})
			gittest.Check(t, err)
			now := l.entriesOf(second)
			if !strings.HasPrefix(now["run.sh"], "100755 ") || now["copy"] != "100644 blob "+string(id) || now["new\nline"] != "" || len(now) != len(have) {
				t.Errorf("after edits: %v", now)
			}
			sameEntries(t, r, second, now)
		})
	}
}

// sameEntries compares Entries with ls-tree.
func sameEntries(t *testing.T, r *Repo, tree ID, want map[string]string) {
	t.Helper()
	entries, err := r.Entries(context.Background(), tree)
	if err != nil || len(entries) != len(want) {
		t.Fatalf("%d entries, want %d: %v", len(entries), len(want), err)
	}
	for _, e := range entries {
		if want[e.Path] != e.Mode+" blob "+string(e.ID) {
			t.Errorf("%+v, want %s", e, want[e.Path])
		}
	}
}

func TestWriteTreeRefusesWhatGitWouldSkip(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	l.Write("file", "f")
	l.Write("folder/inner", "i")
	l.commit("root")
	r := l.open()
	base := l.rev("HEAD^{tree}")
	blob := string(l.rev("HEAD:file"))
	for _, name := range []string{
		"", "/abs", "../up", "a/../b", "./dot", ".git/config", ".GIT/config", "sub/.git/hooks/x", "git~1/x", ".g\u200cit/x", "a//b", "dir/",
		"nul\x00byte", "x\x00100644 " + blob + "\tsmuggled", "file/below", "folder",
	} {
		if tree, err := r.WriteTree(ctx, base, []TreeEdit{put(name, "x")}); err == nil {
			t.Errorf("%q was stored: %v", name, slices.Collect(maps.Keys(l.entriesOf(tree))))
		}
	}
	for _, edit := range []TreeEdit{
		{Path: "a", Mode: "100666", Content: []byte("x")},
		{Path: "a", Blob: "1234"},
		{Path: "a", Blob: ID(strings.Repeat("1", 40))},
		{Path: "folder", Delete: true},
	} {
		if _, err := r.WriteTree(ctx, base, []TreeEdit{edit}); err == nil {
			t.Errorf("%+v was stored", edit)
		}
	}
	// Intended changes are possible: a file becomes a folder, and the other way
	// round.
	tree, err := r.WriteTree(ctx, base, []TreeEdit{
		{Path: "file", Delete: true}, put("file/below", "b"), {Path: "folder/inner", Delete: true}, put("folder", "f"),
	})
	gittest.Check(t, err)
	if names := slices.Sorted(maps.Keys(l.entriesOf(tree))); !slices.Equal(names, []string{"file/below", "folder"}) {
		t.Errorf("%v", names)
	}
}

// TestWriteTreeLeavesTheIndexAlone also in repositories whose index is special.
func TestWriteTreeLeavesTheIndexAlone(t *testing.T) {
	t.Parallel()
	cases := map[string][][]string{
		"plain":        nil,
		"split index":  {{"config", "core.splitIndex", "true"}, {"update-index", "--split-index"}},
		"sparse":       {{"sparse-checkout", "set", "--cone", "kept"}},
		"sparse index": {{"sparse-checkout", "set", "--cone", "--sparse-index", "kept"}},
		"index v4":     {{"update-index", "--index-version=4"}},
	}
	for name, setUp := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			l := newLab(t)
			for _, f := range []string{"kept/a", "other/deep/b", "top"} {
				l.Write(f, f)
			}
			l.commit("root")
			for _, args := range setUp {
				l.Git(args...)
			}
			l.Write("kept/staged", "s")
			l.Git("add", "kept/staged")
			r := l.open()
			before := l.Read(".git/index")
			files, err := filepath.Glob(l.Path(".git/*"))
			gittest.Check(t, err)
			tree, err := r.WriteTree(ctx, l.rev("HEAD^{tree}"), []TreeEdit{put("other/deep/b", "new"), put("other/c", "c"), {Path: "top", Delete: true}})
			gittest.Check(t, err)
			if names := slices.Sorted(maps.Keys(l.entriesOf(tree))); !slices.Equal(names, []string{"kept/a", "other/c", "other/deep/b"}) {
				t.Errorf("%v", names)
			}
			if l.Read(".git/index") != before {
				t.Error("the user's index has changed")
			}
			after, err := filepath.Glob(l.Path(".git/*"))
			gittest.Check(t, err)
			if len(after) > len(files)+1 { // and the folder tdd
				t.Errorf("new files: %v, before %v", after, files)
			}
			if name != "sparse index" { // whose fsck misses trees also where we have never been
				l.tidy()
			}
		})
	}
}
