package scan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/testrun/scan"
)

func TestExcerpt(t *testing.T) {
	t.Parallel()
	const source = "package a\n\nimport \"fmt\"\n\nfunc One() int {\n\tx := 1\n\treturn x\n}\n\nfunc Two() int {\n\tx := 2\n\treturn x\n}\n\nfunc Three() int {\n\tx := 3\n\treturn x\n}\n"
	got := scan.Excerpt(source, func(b scan.Block) bool { return b.First == 10 && strings.Contains(b.Lines[0], "Two") })
	want := "package a\n\nimport \"fmt\"\n\n(5 lines left out: One)\nfunc Two() int {\n\tx := 2\n\treturn x\n}\n\n\n(4 lines left out: Three)\n"
	if got != want {
		t.Errorf("%q", got)
	}
	if got := scan.Excerpt(source, func(scan.Block) bool { return true }); got != strings.TrimSuffix(source, "\n") {
		t.Errorf("whole: %q", got)
	}
}

// Methods that no word announces are declarations of their own.
// A very long declaration is kept in pieces; a single line stands for itself, and what is above
// the imports is left out.
func TestExcerptInPieces(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	for n := range 200 {
		fmt.Fprintf(&table, "\t\"word%d\": %[1]d,\n", n)
	}
	text := "// Licence.\n// Of many words.\n\npackage a\n\nimport \"fmt\"\n\ntype T int\n\nfunc table() map[string]int { return map[string]int{\n" + table.String() + "} }\n"
	got := scan.Excerpt(text, func(b scan.Block) bool { return strings.Contains(strings.Join(b.Lines, ""), "word100\"") })
	if n := strings.Count(got, "word"); n != 40 || !strings.HasPrefix(got, "(2 lines left out)\n\npackage a") || !strings.Contains(got, "lines left out: T, table)") {
		t.Errorf("%d words in:\n%s", n, got)
	}
	got = scan.Excerpt("class A:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n", func(b scan.Block) bool { return b.Name == "one" })
	if want := "class A:\n    def one(self):\n        return 1\n\n\n(2 lines left out: two)\n"; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestExcerptOfMembers(t *testing.T) {
	t.Parallel()
	const source = "export class Till {\n  constructor(name = '') {\n    this.name = name\n  }\n\n  pay(sum: number): this {\n    if (sum) {\n      take(sum)\n    }\n  }\n\n  close(\n    now: Date,\n  ): void {\n    stop(now)\n  }\n}\n"
	got := scan.Excerpt(source, func(b scan.Block) bool { return b.Name == "pay" })
	want := "(5 lines left out: Till, constructor)\n  pay(sum: number): this {\n    if (sum) {\n      take(sum)\n    }\n  }\n\n\n(6 lines left out: close)\n"
	if got != want {
		t.Errorf("%q", got)
	}
}

// What a test declares for itself is no declaration of its own, and comes with its test.
func TestExcerptOfFunctions(t *testing.T) {
	t.Parallel()
	for source, name := range map[string]string{
		"package a\n\nfunc TestOne(t *testing.T) {\n\ttype config struct{ A int }\n\tcheck(config{})\n}\n\nfunc TestTwo() {\n}\n":   "TestOne",
		"import a\n\ndef test_one():\n    class Config(Schema):\n        a = 1\n    check(Config)\n\n\ndef test_two():\n    pass\n": "test_one",
	} {
		got := scan.Excerpt(source, func(b scan.Block) bool { return b.Name == name })
		if !strings.Contains(got, "check(") || strings.Contains(got, "(3 lines") || !strings.Contains(got, "2 lines left out: ") {
			t.Errorf("%s", got)
		}
	}
}

// A comment, an attribute or a decorator goes with the declaration below it; what comes
// behind a function at its own depth is no part of it; tests with titles are declarations.
func TestBlocks(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"package a\n\n// One is one.\nfunc One() {}\n\n// Two is two.\n// It is.\nfunc Two() {}\n":                                                     "1- 3-One 6-Two",
		"/// Of a.\n#[inline]\npub fn a<T>(x: T) -> T\nwhere\n    T: Copy,\n{\n    x\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn b() {}\n}\n": "1-a 10- 12-b",
		"@cached\ndef a(\n    x,\n):\n    return x\n\n\nY = 1\n\n\nclass B:\n    # one\n    def c(self):\n        pass\n":                              "1-a 11-B 12-c",
		"describe Slop::BoolOption do\n  it \"is true\" do\n    assert true\n  end\nend\n":                                                             "1-Slop::BoolOption 2-is true",
		"/**\n * Ships it.\n */\nexport function ship() {}\n\ntest('ships', () => {\n  ship()\n})\n":                                                   "1-ship 6-ships",
	} {
		var got []string
		var all string
		for b := range scan.Blocks(source) {
			got = append(got, fmt.Sprintf("%d-%s", b.First, b.Name))
			all += strings.Join(b.Lines, "")
		}
		if strings.Join(got, " ") != want || all != strings.TrimSuffix(source, "\n") {
			t.Errorf("%q: %q", source, got)
		}
	}
}

func TestImports(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"import { run } from '../src/command';\nrun(other);\n":      "command",
		"from shop.html import render\nprint(other)\n":              "html",
		"import (\n\t\"example.com/shop/deep\"\n)\nvar x = other\n": "deep",
		"const c = require('./cart')\nother()\n":                    "cart",
		"#include \"cart.h\"\nint other;\n":                         "cart",
		"use crate::cart::total;\nfn other() {}\n":                  "cart",
	} {
		if got := scan.Imports(source); !got[want] || got["other"] {
			t.Errorf("%q: %v", source, got)
		}
	}
}
