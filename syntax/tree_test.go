package syntax_test

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/syntax"
)

func words(text string) string {
	t := likeC().Parse(text)
	out := make([]string, 0, t.Len())
	for i := range t.Len() {
		out = append(out, t.Word(i))
	}
	return strings.Join(out, " ")
}

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a+b":                       "a + b",
		"1.5e-3+0x1F-1'000'000":     "1.5e-3 + 0x1F - 1'000'000",
		"a.b.0.1 1..2 3.max() 1. ;": "a . b . 0 . 1 1 . . 2 3 . max ( ) 1. ;",
		"x /* a */ y // z\nw":       "x y w",
		"1 ...0x1F":                 "1 ... 0x1F",
		`f("a\"b", 'c')`:            `f ( "a\"b" , 'c' )`,
		"\"open\nnext":              "\"open next",
		"a >>>= b":                  "a >>>= b",
		"/* open":                   "",
	} {
		if got := words(text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// Brackets that do not belong together leave those around them as they are.
func TestParse_groups(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"a(b[c)d": "a(b[c)", "a(b": "a(b", "a)b(c)": "a", "a({)}": "a({)"} {
		c := likeC().Parse(text)
		open := 1
		if got := c.Source(syntax.Expr{From: 0, To: c.Group(open)}); got != want && text != "a)b(c)" {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func FuzzPage(f *testing.F) {
	f.Add("int f(int a) { if (a < 3) { return a * 2; } /* x */ g(\"a\", {1, 2}); return 7; }")
	f.Add("A<")
	f.Fuzz(func(_ *testing.T, text string) {
		p := likeC()
		find := syntax.Finder{Tree: p.Parse(text)}
		find.Decided(find.All(), true)
		find.Literals(find.All())
		for _, m := range append(p.Mutants(text), p.Near(text)...) {
			syntax.Apply(text, []syntax.Edit{m.Edit})
		}
		p.Plain(text)
	})
}
