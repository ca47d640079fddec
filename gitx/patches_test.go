package gitx

import (
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
	of := func(before, after ID) Patch {
		p, err := r.Patch(t.Context(), before, after, 2000)
		gittest.Check(t, err)
		return p
	}
	for _, pair := range [][2]ID{{none, one}, {one, two}, {one, one}, {two, none}} {
		want, err := r.DiffText(t.Context(), pair[0], pair[1])
		gittest.Check(t, err)
		if p := of(pair[0], pair[1]); p.Text != want || p.Lines != strings.Count(want, "\n") {
			t.Errorf("%v: %d lines\n%s\nwant\n%s", pair, p.Lines, p.Text, want)
		}
	}
	change := of(one, two).Files
	if len(change) != 2 || change[0] != (PatchFile{string(one) + " ", 1, 0}) || change[1] != (PatchFile{"a\nb.txt", 1, 1}) {
		t.Errorf("%v", change)
	}
	quiet := ID(l.Tree(gittest.Files{"a b/empty": "", "é\nbinary": "\x00"}))
	if files := of(none, quiet).Files; len(files) != 2 || files[0] != (PatchFile{Path: "a b/empty"}) || files[1] != (PatchFile{Path: "é\nbinary"}) {
		t.Errorf("%v", files)
	}
	if p := of(none, long); len(p.Text) > 2000 || p.Lines < 100 || !strings.HasSuffix(p.Text, "\n") {
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
