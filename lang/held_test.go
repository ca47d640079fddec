package lang_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/syntax"
)

// mutants are those of a source that count, in words and in order.
func mutants(t *testing.T, language, file, text string, counts func(m syntax.Mutant) bool) string {
	t.Helper()
	known, err := lang.All().ByName(language)
	gittest.Check(t, err)
	var got []string
	for _, m := range known.At(file).Syntax.Mutants(text) {
		if counts(m) {
			got = append(got, m.What)
		}
	}
	slices.Sort(got)
	return strings.Join(got, "|")
}

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
		language := map[string]string{".py": "python", ".rb": "ruby", ".js": "javascript", ".kt": "java"}[c.file[strings.LastIndexByte(c.file, '.'):]]
		got := mutants(t, language, c.file, c.text, func(m syntax.Mutant) bool { return m.Edit.End-m.Edit.Start < 3 })
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
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
		got := mutants(t, c.language, c.file, c.text, func(m syntax.Mutant) bool {
			return strings.HasSuffix(m.Edit.Text, " - 1)") || strings.HasPrefix(m.Edit.Text, "("+c.text[m.Edit.Start:m.Edit.End]+" + 1)") && len(m.Edit.Text) > 9
		})
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

// What is cut off is rounded.
func TestMutants_rounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, file, text, want string }{
		{"go", "a.go", "package a\n\nfunc f(a, b int) int {\n\treturn 1 + a.n(x)[1] * 100 / len(b)\n}\n", "1 + (a.n(x)[1] * 100 + len(b) / 2) / len(b)"},
		{"java", "src/main/java/A.java", "class A {\n  int f(int a) {\n    int b = (a + 1) / 10;\n    return b;\n  }\n}\n", "int b = ((a + 1) + 10 / 2) / 10;"},
		{"rust", "src/lib.rs", "fn f(a: u64) -> u64 {\n    g(a)? * 2 / self.b.c() % 3\n}\n", "(g(a)? * 2 + self.b.c() / 2) / self.b.c() % 3"},
		{"cpp", "a.cpp", "int f(int a) {\n  return -a / 3;\n}\n", "return -(a + 3 / 2) / 3;"},
		{"python", "a.py", "def f(a):\n    return a * 10 // 3\n", "return a * 10 / 3"},
		{"javascript", "a.js", "const f = (a) => a / 2;\n", ""},
	} {
		known, err := lang.All().ByName(c.language)
		gittest.Check(t, err)
		got := ""
		for _, m := range known.At(c.file).Syntax.Mutants(c.text) {
			if m.Rank == syntax.Slip {
				line, _, _ := strings.Cut(syntax.Apply(c.text, []syntax.Edit{m.Edit})[strings.LastIndexByte(c.text[:m.Edit.Start], '\n')+1:], "\n")
				got = strings.TrimSpace(line)
			}
		}
		if strings.TrimPrefix(got, "return ") != strings.TrimPrefix(c.want, "return ") {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
