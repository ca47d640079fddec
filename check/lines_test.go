package check

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestCountLines(t *testing.T) {
	t.Parallel()
	many := func(n int, word string) string {
		var out strings.Builder
		for i := range n {
			fmt.Fprintf(&out, "%s %d\n", word, i)
		}
		return out.String()
	}
	for _, c := range []struct {
		before, after  string
		added, deleted int
	}{
		{"", "", 0, 0},
		{"", "a\n", 1, 0},
		{"a\n", "a\n" + strings.Repeat("b", 10*maxLine), 10, 0},
		{"a\n", "", 0, 1},
		{"a", "a\n", 1, 1}, // as git counts
		{"a\nb\nc\n", "a\nc\n", 0, 1},
		{"a\nb\nc\n", "a\nx\nc\n", 1, 1},
		{"a\nb\n", "b\na\n", 1, 1},
		{"\n\n\n", "\n\n", 0, 1},
		{many(30, "x"), many(30, "y"), 30, 30},
		{many(200_000, "x"), many(200_000, "y"), 200_000, 200_000},
		{many(maxLines/2, "x"), "first\n" + many(maxLines/2, "x") + "last\n", 2, 0},
		{many(maxLines, "x"), "first\n" + many(maxLines, "x") + "last\n", maxLines + 2, maxLines}, // too long to look
	} {
		if got := countLines(c.before, c.after); got != (gates.Lines{Added: c.added, Deleted: c.deleted}) {
			t.Errorf("%.40q → %.40q: %+v, want +%d -%d", c.before, c.after, got, c.added, c.deleted)
		}
	}
}

// The count is the same as git's, which also looks for the smallest one.
func TestCountLines_asGit(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	random := rand.New(rand.NewPCG(1, 2))
	text := func(words, length int) string {
		var out strings.Builder
		for range random.IntN(length + 1) {
			fmt.Fprintf(&out, "%d\n", random.IntN(words))
		}
		if s := out.String(); random.IntN(4) > 0 {
			return s
		}
		return strings.TrimSuffix(out.String(), "\n")
	}
	before, after := files{}, files{}
	for i := range 400 {
		name := fmt.Sprint(i)
		words, length := 2+random.IntN(300), random.IntN(200)
		before[name], after[name] = text(words, length), text(words, length)
	}
	out := l.Git("diff-tree", "-r", "--numstat", "--minimal", "--no-renames", string(l.tree(before)), string(l.tree(after)))
	for line := range strings.Lines(out) {
		var want gates.Lines
		var name string
		if _, err := fmt.Sscan(line, &want.Added, &want.Deleted, &name); err != nil {
			t.Fatal(err)
		}
		if got := countLines(before[name], after[name]); got != want {
			t.Errorf("%s: %+v, git says %+v\n%q\n%q", name, got, want, before[name], after[name])
		}
	}
}

func TestChange_partsAndKinds(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	c := l.checker()
	p, err := c.Project(t.Context(), l.tree(files{"Cargo.toml": "", "src/lib.rs": ""}))
	gittest.Check(t, err)
	inline := func(body, test string) string {
		return "fn a() { " + body + " }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn works() { " + test + " }\n}\n"
	}
	before := files{"src/lib.rs": inline("1", "assert!(a)"), "bin": "a\x00b", "moved.rs": strings.Repeat("fn x() {}\n", 9), "gone.md": "x\n"}
	after := files{"src/lib.rs": inline("2", "assert!(b)"), "bin": "a\x00c", "src/moved.rs": strings.Repeat("fn x() {}\n", 9), "new.md": "1\n2\n3\n4\n"}
	change, err := c.Change(context.Background(), p.Language, l.tree(before), l.tree(after))
	gittest.Check(t, err)
	got := map[string]string{}
	for _, f := range change.Files {
		old := ""
		if f.Old != nil {
			old = f.Old.Path
		}
		got[f.Path()] = fmt.Sprintf("%s %s +%d-%d +%d-%d", old, f.Kind(), f.Source.Added, f.Source.Deleted, f.Test.Added, f.Test.Deleted)
	}
	for name, want := range map[string]string{
		"src/lib.rs":   "src/lib.rs source +1-1 +1-1",
		"bin":          "bin other +0-0 +0-0",
		"src/moved.rs": "moved.rs source +0-0 +0-0",
		"gone.md":      "gone.md other +0-1 +0-0",
		"new.md":       " other +4-0 +0-0",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
}
