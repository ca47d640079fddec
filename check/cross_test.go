package check

import (
	"context"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// crate is a Rust project.
func crate(lib string) files {
	return files{
		".tdd.yaml":  quick + "workbench: {env: [CARGO_NET_OFFLINE=true]}\n",
		"Cargo.toml": "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
		"Cargo.lock": "version = 3\n\n[[package]]\nname = \"calc\"\nversion = \"0.1.0\"\n",
		"src/lib.rs": lib,
	}
}

const inlineTwo = `
#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> i32 { TWO }

    #[test]
    fn adds() {
        assert_eq!(add(two(), 1), EXPECTED);
    }
}
`

func inline(two string) string {
	return strings.NewReplacer("TWO", two, "EXPECTED", "3").Replace(inlineTwo)
}

// Rust's inline tests are restored to their old text and place in the new
// sources.
func TestCross_inlineTestsOfRust(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "cargo")
	add := "pub fn add(a: i32, b: i32) -> i32 { a + b }\n"
	cheat := "pub fn add(a: i32, b: i32) -> i32 { a + a + b }\n"
	nested := func(source, tests, after string) string {
		return "//! Sums.\n\npub mod sums {\n    " + source + strings.ReplaceAll(tests, "\n", "\n    ") + "}\n\n" + after
	}
	for name, libs := range map[string]struct {
		before, honest, cheat string
	}{
		"at the end": {add + inline("2"), "// Adds.\n" + add + inline("1 + 1"), cheat + inline("1")},
		"in a module": {
			nested(add, inline("2"), "pub use sums::add;\n"),
			nested("/// Adds.\n    "+add, inline("1 + 1"), "pub use sums::add;\n"),
			nested(cheat, inline("1"), "pub use sums::add;\n"),
		},
		"in two places": {
			"#[cfg(test)]\nconst EXTRA: i32 = 0;\n\n" + add + inline("2 + EXTRA"),
			"#[cfg(test)]\nconst EXTRA: i32 = 0;\n\n// Adds.\n" + add + inline("EXTRA + 2"),
			"#[cfg(test)]\nconst EXTRA: i32 = 0;\n\n" + cheat + inline("EXTRA + 1"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			c := l.checker()
			start := l.commit("chore: start", crate(labelled(name, libs.before)))
			s := l.must(c, "refactor: words", crate(labelled(name, libs.honest)), start)
			if s.j.Case.Crossed == nil || s.j.Case.Crossed.Outcome != gates.Passed {
				t.Errorf("crossed: %+v", s.j.Case.Crossed)
			}
			s = l.propose(c, "refactor: cheat", crate(labelled(name, libs.cheat)), start)
			l.refused(s, "same-tests")
			if s.j.Case.Crossed != nil && s.j.Case.Crossed.Outcome != gates.Failed {
				t.Errorf("crossed: %+v", s.j.Case.Crossed)
			}
		})
	}
}

// labelled keeps the build output of different cases apart.
func labelled(name, lib string) string { return lib + "\n// " + name + "\n" }

func TestWithTests(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ content, source, test, old, want string }{
		{"a\nT\n", "a\n", "T\n", "O\n", "a\nO\n"},
		{"a\nT\nb\n", "a\nb\n", "T\n", "O\n", "a\nO\nb\n"},
		{"a\nT\nb\n", "a\nb\n", "T\n", "O", "a\nO\nb\n"},
		{"T\nb\nT\n", "T\nb\n", "T\n", "O\n", "T\nb\nO\n"},
		{"a\nT\nb\nT\n", "a\nb\n", "T\nT\n", "O\n", "a\nb\nO\n"},
		{"a\n", "a\n", "", "O\n", "a\nO\n"},
		{"a", "a", "", "O", "a\nO\n"},
		{"a\nT\n", "a\n", "T\n", "", "a\n"},
		{"T\n", "", "T\n", "", ""},
	} {
		got := string(withTests(c.content, &gates.File{Source: c.source, Test: c.test}, c.old))
		if got != c.want {
			t.Errorf("%q with %q: %q, want %q", c.content, c.old, got, c.want)
		}
	}
}

// A deleted file and a restored one may swap names.
func TestRestoreTests_paths(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	long := strings.Repeat("line\n", 20)
	base := files{"go.mod": "module x\n", "x.go": "package x\n"}
	for name, c := range map[string]struct{ before, after, want files }{
		"swapped":        {files{"a_test.go": long + "a", "b_test.go": long + "b"}, files{"a_test.go": long + "b", "b_test.go": long + "a"}, files{"a_test.go": long + "a", "b_test.go": long + "b"}},
		"moved":          {files{"a_test.go": long}, files{"c_test.go": long}, files{"a_test.go": long}},
		"changed":        {files{"a_test.go": "1"}, files{"a_test.go": "2"}, files{"a_test.go": "1"}},
		"new":            {files{}, files{"a_test.go": "2"}, files{}},
		"gone":           {files{"a_test.go": "1"}, files{}, files{"a_test.go": "1"}},
		"file to folder": {files{"testdata": "-", "testdata/a": "1"}, files{"testdata/a/b": "1"}, files{"testdata/a": "1"}},
		"folder to file": {files{"testdata/a/b": "1"}, files{"testdata/a": "1"}, files{"testdata/a/b": "1"}},
		"odd names":      {files{"testdata/a\nb": "1", "testdata/ c": "1"}, files{"testdata/a\nb": "2"}, files{"testdata/a\nb": "1", "testdata/ c": "1"}},
		"to a source":    {files{"a_test.go": long}, files{"a.go": long}, files{"a_test.go": long, "a.go": long}},
	} {
		c2 := l.checker()
		before, after := l.tree(base.With(c.before)), l.tree(base.With(c.after))
		p, err := c2.Project(context.Background(), before)
		gittest.Check(t, err)
		change, err := c2.Change(context.Background(), p.Language, before, after)
		gittest.Check(t, err)
		edits, err := c2.restoreTests(context.Background(), across{project: p, change: change, old: before, tree: after}, renaming{})
		gittest.Check(t, err)
		got, err := l.repo.WriteTree(context.Background(), after, edits)
		gittest.Check(t, err)
		if want := l.tree(base.With(c.want)); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", name, l.Git("ls-tree", "-r", string(got)), l.Git("ls-tree", "-r", string(want)))
		}
	}
}
