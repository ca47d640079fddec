package scan_test

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/testrun/scan"
)

func TestExcerpt(t *testing.T) {
	t.Parallel()
	const source = "package a\n\nimport \"fmt\"\n\nfunc One() int {\n\tx := 1\n\treturn x\n}\n\nfunc Two() int {\n\tx := 2\n\treturn x\n}\n\nfunc Three() int {\n\tx := 3\n\treturn x\n}\n"
	got := scan.Excerpt(source, func(first int, lines []string) bool { return first == 10 && strings.Contains(lines[0], "Two") })
	want := "package a\n\nimport \"fmt\"\n\n(5 lines left out: One)\nfunc Two() int {\n\tx := 2\n\treturn x\n}\n\n\n(4 lines left out: Three)\n"
	if got != want {
		t.Errorf("%q", got)
	}
	if got := scan.Excerpt(source, func(int, []string) bool { return true }); got != strings.TrimSuffix(source, "\n") {
		t.Errorf("whole: %q", got)
	}
}

// Methods that no word announces are declarations of their own.
func TestExcerptOfMembers(t *testing.T) {
	t.Parallel()
	const source = "export class Till {\n  constructor(name = '') {\n    this.name = name\n  }\n\n  pay(sum: number): this {\n    if (sum) {\n      take(sum)\n    }\n  }\n\n  close(\n    now: Date,\n  ): void {\n    stop(now)\n  }\n}\n"
	got := scan.Excerpt(source, func(_ int, lines []string) bool { return scan.NameOf(lines[0]) == "pay" })
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
		got := scan.Excerpt(source, func(_ int, lines []string) bool { return scan.NameOf(lines[0]) == name })
		if !strings.Contains(got, "check(") || strings.Contains(got, "(3 lines") || !strings.Contains(got, "2 lines left out: ") {
			t.Errorf("%s", got)
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
