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
