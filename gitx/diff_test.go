package gitx

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestDiff(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	text := strings.Repeat("a line\n", 40)
	l.Write("moved", text)
	l.Write("changed", "1\n")
	l.Write("mode", "m\n")
	l.Write("gone\nwith newline", "g\n")
	l.Write("type", "target")
	l.commit("root")
	r := l.open()
	before := l.rev("HEAD^{tree}")
	blob := l.rev("HEAD:mode")
	after, err := r.WriteTree(ctx, before, []TreeEdit{
		{Path: "moved", Delete: true},
		put("sub/moved ü", text), put("changed", "2\n"),
		{Path: "mode", Blob: blob, Mode: ModeExecutable},
		{Path: "gone\nwith newline", Delete: true},
		{Path: "type", Mode: ModeSymlink, Content: []byte("target")},
		put("new", "n\n"),
		{Path: "module", Mode: ModeSubmodule, Blob: l.rev("HEAD")},
	})
	gittest.Check(t, err)
	for name, one := range map[string]struct {
		diff func(context.Context, ID, ID) ([]Diff, error)
		want []string
	}{
		"DiffMoved": {r.DiffMoved, []string{"M changed", "D gone\nwith newline", "M mode", "A module", "R moved sub/moved ü", "A new", "T type"}},
		"Diff":      {r.Diff, []string{"M changed", "D gone\nwith newline", "M mode", "A module", "D moved", "A new", "A sub/moved ü", "T type"}},
	} {
		diffs, err := one.diff(ctx, before, after)
		gittest.Check(t, err)
		if got := describe(diffs); !slices.Equal(got, slices.Sorted(slices.Values(one.want))) {
			t.Errorf("%s: %q", name, got)
		}
	}
	none, err := r.Diff(ctx, before, before)
	if err != nil || none != nil {
		t.Errorf("no difference: %v %v", none, err)
	}
	all, err := r.Diff(ctx, "", before)
	if err != nil || len(all) != 5 || all[0].Old != nil {
		t.Errorf("from nothing: %v %v", all, err)
	}
	all, err = r.Diff(ctx, before, "")
	if err != nil || len(all) != 5 || all[0].New != nil || all[0].Path() != "changed" {
		t.Errorf("to nothing: %v %v", all, err)
	}
}

func describe(diffs []Diff) []string {
	var words []string
	for _, d := range diffs {
		switch {
		case d.Old == nil:
			words = append(words, "A "+d.New.Path)
		case d.New == nil:
			words = append(words, "D "+d.Old.Path)
		case d.Old.Path != d.New.Path:
			words = append(words, "R "+d.Old.Path+" "+d.New.Path)
		case d.Old.Mode[:2] != d.New.Mode[:2]:
			words = append(words, "T "+d.New.Path)
		default:
			words = append(words, "M "+d.New.Path)
		}
	}
	slices.Sort(words)
	return words
}

// TestDiffHidesNothing: no configuration makes a change disappear.
func TestDiffHidesNothing(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	l.Write(".gitmodules", "[submodule \"m\"]\n\tpath = m\n\turl = ./m\n\tignore = all\n")
	l.commit("root")
	r := l.open()
	head := l.rev("HEAD")
	first, err := r.WriteTree(ctx, l.rev("HEAD^{tree}"), []TreeEdit{{Path: "m", Mode: ModeSubmodule, Blob: head}})
	gittest.Check(t, err)
	second, err := r.WriteTree(ctx, first, []TreeEdit{{Path: "m", Mode: ModeSubmodule, Blob: ID(strings.Repeat("1", 40))}})
	gittest.Check(t, err)
	for _, kv := range [][2]string{{"diff.ignoreSubmodules", "all"}, {"submodule.m.ignore", "all"}, {"diff.renameLimit", "1"}, {"diff.renames", "false"}} {
		l.Git("config", kv[0], kv[1])
	}
	diffs, err := r.DiffMoved(ctx, first, second)
	if err != nil || len(diffs) != 1 {
		t.Errorf("a moved submodule: %v %v", diffs, err)
	}
	text, err := r.DiffText(ctx, first, second)
	if err != nil || !strings.Contains(text, "+Subproject commit 1111") {
		t.Errorf("as text: %s %v", text, err)
	}
}

func TestDiffText(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	l.Write("a.txt", "one\ntwo\nthree\n")
	l.commit("root")
	for _, kv := range [][2]string{{"color.ui", "always"}, {"diff.noprefix", "true"}, {"diff.context", "0"}, {"diff.algorithm", "patience"}} {
		l.Git("config", kv[0], kv[1])
	}
	r := l.open()
	before := l.rev("HEAD^{tree}")
	after, err := r.WriteTree(ctx, before, []TreeEdit{put("a.txt", "one\n2\nthree\n")})
	gittest.Check(t, err)
	text, err := r.DiffText(ctx, before, after)
	gittest.Check(t, err)
	_, body, _ := strings.Cut(text, "\n--- ")
	want := "a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
	if body != want {
		t.Errorf("%q, want %q", body, want)
	}
	if text, err = r.DiffText(ctx, "", before); err != nil || !strings.Contains(text, "+++ b/a.txt") {
		t.Errorf("from nothing: %q %v", text, err)
	}
	if text, err = r.DiffText(ctx, before, before); err != nil || text != "" {
		t.Errorf("no difference: %q %v", text, err)
	}
}
