package python

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/syntax"
)

const sourceText = `"""About 1 + 1."""
import os
from typing import TYPE_CHECKING

LIMIT: "int" = 10
__version__ = "1.0"

if TYPE_CHECKING:
    from x import y


@cache(size=5)
def total(a: int = 1, *rest) -> int:
    """Sums 1 and 2."""
    if a < 0 and not rest:  # 3
        raise ValueError("negative" + str(a))
    for b in rest[1:]:
        a += b * -2
    log.warning("odd %d", cast("int", a))
    print("a" + "b")
    c = [f(a, *rest, key="x")]
    while a is not None: a = a - 1
    match a:
        case 1:
            return None
    return (
        a,
        b"x",
    )
`

// What is written into is a parameter, and goes on being what it was.
func TestMutants_copies(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"class A:\n    def add(self, items, *, key=None):\n        self.x = 1\n        items.append(key)\n":                                                 "($).append(key)",
		"def fill(into: dict, n):\n    into[n] = 1\n    n += 1\n":                                                                                           "($)[n] = 1",
		"def f(self, o):\n    kept = o or self.all[0] or {}\n    kept.x = 1\n    kept['a'] = 2\n    new = dict(o.x)\n    new['a'] = 1\n    seen = self.x\n": "kept = $",
		"def f(o):\n    o.rows.sort(key=g)\n    o.x.y = 1\n    return o.rows.index(1)\n":                                                                    "$.sort(key=g)$.y = 1",
		"def f(self, k):\n    if k not in self.kept:\n        self.kept[k] = g(k)\n    return self.kept[k]\n":                                               "$",
		"def f(self, k):\n    self.other[k] = g(k)\n    return self.kept[k]\n":                                                                              "",
		"def f(items):\n    items = list(items)\n    items.sort()\n":                                                                                        "",
	} {
		got := ""
		for _, m := range page().Near(text) {
			if name, ok := strings.CutPrefix(m.What, "a copy of "); ok {
				line, _, _ := strings.Cut(text[m.Edit.End:], "\n")
				copied := "(lambda v: type(v)(v) if type(v) in (list, dict, set) else None)(" + name + ")"
				got += strings.ReplaceAll(strings.Replace(m.Edit.Text, name+" := "+copied, "$", 1), copied, "$") + line
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestMutants(t *testing.T) {
	t.Parallel()
	var got []string
	for _, m := range page().Mutants(sourceText) {
		text := strings.NewReplacer(anotherResult, "another").Replace(m.Edit.Text)
		got = append(got, fmt.Sprintf("%d: %s > %s", m.Line, sourceText[m.Edit.Start:m.Edit.End], text))
	}
	want := []string{
		"5: 10 > (10 + 1)",
		"12: 5 > (5 + 1)",
		"13: 1 > (1 + 1)",
		"15: a < 0 and not rest >  not (a < 0 and not rest)",
		"15: a < 0 and  > ",
		"15:  and not rest > ",
		"15: < > <=",
		"15: 0 > (0 - 1)",
		"15: and > or",
		"17: 1 > (1 + 1)",
		"18: += > -=",
		"18: * > +",
		"18: 2 > (2 + 1)",
		`21: "x" > ("x" + "~x")`,
		"22: is not > is",
		"22: - > +",
		"22: 1 > (1 + 1)",
		"26: (\n        a,\n        b\"x\",\n    ) > another(((\n        a,\n        b\"x\",\n    )))",
		"27: a > another((a))",
		`28: b"x" > (b"x" + b"~")`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What a name is given ends with its line.
func TestMutants_line(t *testing.T) {
	t.Parallel()
	for _, m := range page().Mutants("def f(a):\n    b = a * 2\n    c = f(d=a,\n          e=b or a) or b\n    return b or 1\n") {
		if strings.Contains(m.Edit.Text, "return") || strings.Contains(m.Edit.Text, "c =") {
			t.Errorf("%d: %s", m.Line, m.What)
		}
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	const plain = "def f(a):\n    if a:\n        return [a, 1]\n    return 2\n"
	for other, same := range map[string]bool{
		"# about\ndef f( a ):\n\n  if a: # why\n     return [a,\n  1]\n  return 2": true,
		"def f(a):\n    if a:\n        return [a, 1]\n        return 2\n":          false,
		"def f(a):\n    if a:\n        return [a, '1']\n    return 2\n":            false,
		"#!/bin/python\n" + plain:              false,
		"# cython: language_level=2\n" + plain: false,
		"# encoding: latin-1\n" + plain:        false,
		"# TODO the encoding\n" + plain:        true,
		"def f(a):\n    if a:\n        return [a, 1]\n    x = '# encoding: y'; return 2\n": false,
	} {
		if got := code(other) == code(plain); got != same {
			t.Errorf("%q: the same code: %v, want %v", other, got, same)
		}
	}
}

func FuzzMutants(f *testing.F) {
	f.Add(sourceText)
	f.Add("return lambda: b'\n x: y[1:] = *a")
	f.Add("x = a +") // nothing behind the operator
	f.Fuzz(func(t *testing.T, content string) {
		code(content)
		for _, m := range page().Mutants(content) {
			if syntax.Apply(content, []syntax.Edit{m.Edit}) == content {
				t.Fatalf("%v changes nothing in %q", m, content)
			}
		}
	})
}
