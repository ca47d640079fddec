package lang_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/syntax"
)

// What a function gives back is made another value, and the error that it
// raises another error.
func TestNear(t *testing.T) {
	t.Parallel()
	for language, source := range map[string]struct{ text, result, otherError string }{
		"javascript": {"function sum(a, b) {\n  if (a < 0) {\n    throw new Negative('a');\n  }\n  return a + b;\n}\n", "a + b", "RangeError"},
		"php":        {"<?php\nfunction sum($a, $b)\n{\n    if ($a < 0) {\n        throw new Negative('a');\n    }\n    return $a + $b;\n}\n", "$a + $b", `\LengthException`},
		"python":     {"def total(a, b):\n    if a < 0:\n        raise Negative('a')\n    return a + b\n", "a + b", "LookupError"},
		"ruby":       {"def sum(a, b)\n  raise Negative, 'a' if a < 0\n  a + b\nend\n", "a + b", "IndexError"},
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			known, err := lang.All().ByName(language)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range known.Syntax.Near(source.text) {
				was, is := source.text[m.Edit.Start:m.Edit.End], m.Edit.Text
				if !strings.Contains(m.What, was) || 1+strings.Count(source.text[:m.Edit.Start], "\n") != m.Line {
					t.Errorf("line %d: %s; want %s at its place", m.Line, m.What, was)
				}
				if strings.Contains(is, was) {
					is = "something of it"
				}
				got = append(got, was+" > "+is)
			}
			slices.Sort(got)
			condition := strings.Replace(source.result, "+ ", "< ", 1)
			condition = condition[:strings.Index(condition, "<")] + "< 0"
			want := []string{"Negative > " + source.otherError, source.result + " > something of it", condition + " > something of it"}
			slices.Sort(want)
			if got = slices.Compact(got); !slices.Equal(got, want) {
				t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// A text of several words loses its second half, and no placeholder is cut in two.
func TestNear_half(t *testing.T) {
	t.Parallel()
	for language, source := range map[string][2]string{
		"javascript": {"function f(n) {\n  throw new Error(`no root of ${ n }: below zero`);\n}\n", "`no root of` for"},
		"python":     {"def f(n):\n    raise E(f\"no root of { n }: below zero\")\n", "f\"no root of { n }:\" for"},
		"go":         {"package x\n\nfunc f() string { return \"no root of %d\" }\n", "\"no root\" for"},
		"rust":       {"fn f() -> &'static str {\n    \"no root\"\n}\n", "\"no\" for"},
		"ruby":       {"def f\n  raise \"word\"\nend\n", ""},
	} {
		known, err := lang.All().ByName(language)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(known.Syntax.Near(source[0]), func(m syntax.Mutant) bool { return source[1] != "" && strings.HasPrefix(m.What, source[1]) })
		if got != (source[1] != "") {
			t.Errorf("%s: %v", language, known.Syntax.Near(source[0]))
		}
	}
}
