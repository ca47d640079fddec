package gitx

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestPatch: it is the beginning of what DiffText says, and says how much that is.
func TestPatch(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.open()
	none := ID("")
	one := ID(l.Tree(gittest.Files{"a\nb.txt": "x\n"}))
	two := ID(l.Tree(gittest.Files{"a\nb.txt": "y\n", string(one) + " ": string(one) + " " + string(one) + "\n"}))
	long := ID(l.Tree(gittest.Files{"long": strings.Repeat("é", 70_000) + "\n" + strings.Repeat("short\n", 100)}))
	of := func(before, after ID) []FilePatch {
		p, err := r.Patch(t.Context(), before, after, 2000)
		gittest.Check(t, err)
		return p
	}
	for _, pair := range [][2]ID{{none, one}, {one, two}, {one, one}, {two, none}} {
		want, err := r.DiffText(t.Context(), pair[0], pair[1])
		gittest.Check(t, err)
		if text, lines := whole(of(pair[0], pair[1])); text != want || lines != strings.Count(want, "\n") {
			t.Errorf("%v: %d lines\n%s\nwant\n%s", pair, lines, text, want)
		}
	}
	if files := counts(of(one, two)); !slices.Equal(files, []FilePatch{{Path: string(one) + " ", Added: 1}, {Path: "a\nb.txt", Added: 1, Deleted: 1}}) {
		t.Errorf("%v", files)
	}
	quiet := ID(l.Tree(gittest.Files{"a b/empty": "", "é\nbinary": "\x00"}))
	if files := counts(of(none, quiet)); !slices.Equal(files, []FilePatch{{Path: "a b/empty"}, {Path: "é\nbinary"}}) {
		t.Errorf("%v", files)
	}
	if text, lines := whole(of(none, long)); len(text) > 2000 || lines < 100 || !strings.HasSuffix(text, "\n") {
		t.Errorf("%d bytes of %d lines", len(text), lines)
	}
}

// whole is the text of a patch, and the number of its lines.
func whole(files []FilePatch) (text string, lines int) {
	for _, f := range files {
		text, lines = text+f.Text, lines+f.Lines
	}
	return text, lines
}

// counts are the files of a patch without their texts.
func counts(files []FilePatch) []FilePatch {
	for i := range files {
		files[i].Text, files[i].Lines = "", 0
	}
	return files
}

// TestCommitWhen: when a commit was made, unless somebody jokes.
func TestCommitWhen(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.open()
	tree := l.Tree(gittest.Files{"a": "a"})
	for stamp, want := range map[string]string{
		"1700000000 +0100": "2023-11-14T22:13:20Z", "99999999999999999999 +0000": "0001-01-01T00:00:00Z",
		"-5 +0000": "0001-01-01T00:00:00Z", "": "0001-01-01T00:00:00Z",
	} {
		id := l.Feed("tree "+tree+"\nauthor A <a@b> "+stamp+"\ncommitter A <a@b> 1 +0000\n\nx\n", "hash-object", "-t", "commit", "-w", "--literally", "--stdin")
		c, err := r.Commit(t.Context(), id)
		gittest.Check(t, err)
		if got := c.When.Format("2006-01-02T15:04:05Z"); got != want {
			t.Errorf("%q: %s, want %s", stamp, got, want)
		}
	}
}
