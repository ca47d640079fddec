package gitx

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestPatches: one git compares many trees, and says what DiffText says.
func TestPatches(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.open()
	none := ID("")
	one := ID(l.Tree(gittest.Files{"a\nb.txt": "x\n"}))
	two := ID(l.Tree(gittest.Files{"a\nb.txt": "y\n", string(one) + " ": string(one) + " " + string(one) + "\n"}))
	long := ID(l.Tree(gittest.Files{"long": strings.Repeat("é", 70_000) + "\n" + strings.Repeat("short\n", 100)}))
	pairs := [][2]ID{{none, one}, {one, two}, {one, one}, {two, none}, {none, one}, {none, long}}
	got, err := r.Patches(t.Context(), pairs, 2000)
	gittest.Check(t, err)
	if len(got) != 4 {
		t.Errorf("%d patches", len(got))
	}
	for _, pair := range pairs[:4] {
		want, err := r.DiffText(t.Context(), pair[0], pair[1])
		gittest.Check(t, err)
		if p := got[pair]; p.Text != want || p.Lines != strings.Count(want, "\n") {
			t.Errorf("%v: %d lines\n%s\nwant\n%s", pair, p.Lines, p.Text, want)
		}
	}
	change := got[[2]ID{one, two}].Files
	if len(change) != 2 || change[0] != (PatchFile{string(one) + " ", 1, 0}) || change[1] != (PatchFile{"a\nb.txt", 1, 1}) {
		t.Errorf("%v", change)
	}
	if p := got[[2]ID{none, long}]; len(p.Text) > 2000 || p.Lines < 100 || !strings.HasSuffix(p.Text, "\n") {
		t.Errorf("%d bytes of %d lines", len(p.Text), p.Lines)
	}
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
