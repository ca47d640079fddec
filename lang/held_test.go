package lang_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
)

// What stands in a text is changed as what stands beside one.
func TestMutants_valuesInTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, text, want string }{
		{"a.py", "def f(a):\n    return f'{{a - 9}} {g(a, 1) - b:>{9}} {c + 2!r} {d == 3}'\n", "!= for ==|(1 + 1) for 1|(2 + 1) for 2|(3 + 1) for 3|+ for -|- for +"},
		{"a.py", "def f(a):\n    return '{a - 9}'\n", ""},
		{"a.rb", "def f(a)\n  puts 1\n  \"<#{a - 2}>\" + '#{a - 9}'\nend\n", "(2 + 1) for 2|+ for -|- for +"},
		{"a.js", "const f = (a) => `${a - 1} ${`<${a - 2}`}` + '${a - 9}';\n", "(1 + 1) for 1|(2 + 1) for 2|+ 1 + for +|+ for -|+ for -"},
		{"A.kt", "fun f(a: Int): String {\n  return \"$a ${a - 1}\"\n}\n", "+ for -|42 for 1"},
	} {
		known, err := lang.All().ByName(map[string]string{".py": "python", ".rb": "ruby", ".js": "javascript", ".kt": "java"}[c.file[strings.LastIndexByte(c.file, '.'):]])
		gittest.Check(t, err)
		var got []string
		for _, m := range known.At(c.file).Syntax.Mutants(c.text) {
			if was := c.text[m.Edit.Start:m.Edit.End]; len(was) < 3 {
				got = append(got, m.What)
			}
		}
		slices.Sort(got)
		if found := strings.Join(got, "|"); found != c.want {
			t.Errorf("%s: %q, want %q", c.text, found, c.want)
		}
	}
}

// A limit is another one on the side of it that another operator leaves as it was; what is
// divided by, one more.
func TestMutants_besideLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, file, text, want string }{
		{"rust", "src/lib.rs", "fn f(a: u64) -> bool {\n    a < HOUR && a < Self::DAY && a >= self.most.of && a > MANY && a < 60\n}\n", "(60 - 1) for 60|(HOUR - 1) for HOUR|(Self::DAY - 1) for Self::DAY|(self.most.of - 1) for self.most.of"},
		{"python", "a.py", "def f(a, b):\n    for i in range(9):\n        if a < b or a >= T.MOST or 5 > a or 0.5 > a: pass\n    while a < LAST: pass\n", "(5 - 1) for 5|(T.MOST - 1) for T.MOST"},
		{"go", "a.go", "package a\n\nfunc f(a, b int) int {\n\treturn a / len(b)\n}\n", "(a / len(b) + 1) for a / len(b)|(len(b) + 1) for len(b)"},
		{"ruby", "a.rb", "def f\n  sum.to_f / values.size(1).abs\nend\n", "(values.size(1).abs + 1) for values.size(1).abs"},
	} {
		known, err := lang.All().ByName(c.language)
		gittest.Check(t, err)
		var got []string
		for _, m := range known.At(c.file).Syntax.Mutants(c.text) {
			if strings.HasSuffix(m.Edit.Text, " - 1)") || strings.HasPrefix(m.Edit.Text, "("+c.text[m.Edit.Start:m.Edit.End]+" + 1)") && len(m.Edit.Text) > 9 {
				got = append(got, m.What)
			}
		}
		slices.Sort(got)
		if found := strings.Join(got, "|"); found != c.want {
			t.Errorf("%s: %q, want %q", c.text, found, c.want)
		}
	}
}
