package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gitx"
)

func TestBlockFits(t *testing.T) {
	t.Parallel()
	b := textBlock("x", strings.Repeat("a line\n", 10), "git show x")
	b.fit(1000)
	if b.More != "" {
		t.Errorf("nothing is missing, but: %s", b.More)
	}
	b.fit(100)
	if b.More != "8 more lines. git show x" {
		t.Errorf("%q", b.More)
	}
	one := textBlock("x", strings.Repeat("<", 1000), "")
	if one.fit(600); one.Text == "" || len(one.Text) > 600 || one.More == "" {
		t.Errorf("%q %q", one.Text, one.More)
	}
}

const oneFile = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +4,2 @@ func f\n--- a\n+++ b\n same\n\\ No newline\n"

// TestDiffs: each file by itself, with numbers of lines; signs mean a change in a hunk
// only; and what is known of a line stands at it, and can be found there.
func TestDiffs(t *testing.T) {
	t.Parallel()
	patch := []gitx.FilePatch{
		{Path: "x", Added: 1, Deleted: 1, Text: oneFile, Lines: 9}, {Path: "y", Text: "diff --git a/y b/y\nold mode 1\n", Lines: 3}, {Path: "z", Lines: 3},
	}
	notes := []*note{{path: "x", line: 4}, {path: "x", line: 7}, {path: "y", line: 4}, {path: "x"}}
	all := diffs(patch, notes, "c1", "git show x")
	var got []string
	for _, b := range all {
		b.fit(1000)
		got = append(got, b.Title+" "+b.Aside+" "+b.More)
		for _, l := range b.Lines {
			text := fmt.Sprintf("%s%d %s", l.Kind, l.No, strings.TrimSpace(l.Text))
			for _, n := range l.Notes {
				text += " note " + n.ID
			}
			got = append(got, text)
		}
	}
	want := []string{
		"x +1 −1 ", "@0 @@ -1,2 +4,2 @@ func f", "-0 --- a", "+4 +++ b note c1-1-4-1", "5 same", "@0 \\ No newline",
		"y +0 −0 4 more lines. git show x", "@0 old mode 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant\n%q", got, want)
	}
	if notes[1].ID != "" || notes[2].ID != "" || notes[3].ID != "" {
		t.Error("a note leads to a place where it does not stand")
	}
	all[0].fit(60)
	if notes[0].ID != "" {
		t.Error("a note leads to a line that is left out")
	}
}
