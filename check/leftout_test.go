package check

import (
	"slices"
	"strings"
	"testing"
)

func TestLeftOut(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, was, now string
		want           []string // what is left out
	}{
		{"a statement", "{\n\ta();\n}\n", "{\n\ta();\n\tb();\n}\n", []string{"\tb();\n"}},
		{"a condition", "a\nz\n", "a\nif b {\n\tc()\n} else {\n\td()\n}\nz\n", []string{"if b {\n\tc()\n} else {\n\td()\n}\n", "\tc()\n", "\td()\n"}},
		{"one of Python", "a\nz\n", "a\nif b:\n    c()\n\n    d()\nz\n", []string{"if b:\n    c()\n\n    d()\n", "    c()\n", "    d()\n"}},
		{"one of shell", "a\nz\n", "a\nif b; then\n    c=\"$1\"\nfi\nz\n", []string{"if b; then\n    c=\"$1\"\nfi\n"}},
		{"an exception that is caught", "a\n", "a\ntry {\n  b();\n} catch (e) {\n  return;\n}\n", []string{"try {\n  b();\n} catch (e) {\n  return;\n}\n", "  b();\n", "  return;\n"}},
		{"what others need", "", "@x\nfunc f() int {\n\tint a = 1;\n\tb := 2\n\tlet c = 3\n\tconst auto& d = 4;\n\treturn a +\n\t\tb\n}\n", nil},
		{"what is altered", "", "self.a = b\nthis.c += d;\nx += 1\n$this->y = z;\n", []string{"self.a = b\n", "this.c += d;\n", "x += 1\n", "$this->y = z;\n"}},
		{"part of a list", "[\n]\n", "[\n  1,\n  f(),\n]\n", nil},
		{"what tidies a value", "", "return a.sort().map(f).reverse();\nreturn strtolower(trim($b));\nreturn c.sort(d).title_of(trimmed)\n", []string{
			".sort()", ".reverse()", "strtolower", "trim",
		}},
		{"what was there", "f(trim(a));\nb();\nz();\n", "f(trim(c));\nz();\nb();\n", []string{"f(trim(c));\n"}},
		{"directives", "", "'use strict';\n\"\"\"Does it.\"\"\"\n", nil},
		{"a comment", "a\n", "a\n# b()\n", nil},
	} {
		var got []string
		r := rewriting{path: "a", was: tc.was, now: tc.now}
		r.added = addedTokens(tc.was, tc.now, moreOf([]rewriting{r}))
		for _, m := range leftOut(r, func(text string) string { return text }) {
			got = append(got, tc.now[m.Edit.Start:m.Edit.End])
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %s, want %s", tc.name, strings.Join(got, "---\n"), strings.Join(tc.want, "---\n"))
		}
	}
}

func TestInOtherWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`"line %d: %w"`:           `"mine %d: %w"`,
		`"{name} is Zoe's"`:       `"{name} js Aoe's"`,
		"`no ${x.y} in\n zoo`":    "`oo ${x.y} jn\n aoo`",
		`'%-5s of %(total)s\nab'`: `'%-5s pf %(total)s\nbb'`,
		`"$name, #{a} %{b} x"`:    `"$name, #{a} %{b} x"`,
	} {
		if got := inOtherWords(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
