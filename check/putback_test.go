package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/syntax"
)

func TestPutBacks(t *testing.T) {
	t.Parallel()
	code := func(text string) string { // without comments
		kept := slices.DeleteFunc(lines(text), func(line string) bool { return strings.HasPrefix(line, "#") })
		if text = strings.Join(kept, ""); strings.Contains(text, "`") {
			return text // with a text of several lines, every space counts
		}
		return strings.ReplaceAll(text, " ", "")
	}
	for _, tc := range []struct {
		name, was, now string
		want           []string // what the source is with each of them
	}{
		{"nothing was there", "", "a\n", nil},
		{"the same code", "a\n# b\n", "a\n# c\n", nil},
		{"two runs of lines", "a\nb\nc\n", "x\nb\ny\n", []string{"a\nb\ny\n", "x\nb\nc\n"}},
		{"lines that are gone", "a\nb\n", "a\n", []string{"a\nb\n"}},
		{"imports that come and go", "import a\nf\n", "f\nfrom b import c\n\n", nil},
		{"another import", "import a from 'a'\n", "import a from 'b'\n", []string{"import a from 'a'\n"}},
		{"a name in an import", "import {\n  a,\n} from 'x';\nf\n", "import {\n  a,\n  b,\n} from 'x';\nf\n", nil},
		{"more names", "from x import a\nf\n", "from x import a, b\nf\n", nil},
		{"other names", "from x import a\nf\n", "from y import a\nf\n", []string{"from x import a\nf\n"}},
		{"of many lines", "f\n", "from x import (\n    a,\n    b,\n)\nf\n", nil},
		{"names that are exported", "__all__ = [\n    'a',\n]\nf\n", "__all__ = [\n    'a',\n    'b',\n]\nf\n", nil},
		{"a module that is required", "f\n", "const { a, b: c } = require('x');\nf\n", nil},
		{"one that does something", "f\n", "import './x.js'\nf\n", []string{"f\n"}},
		{"files that are required or included", "f\nz\n", "require_relative '../x'\nf\n#  include <y/z>\nz\n", nil},
		{"what is told to tools", "f\n", "@Override\n@SuppressWarnings(\"x\")\n#[allow(dead_code)]\nf\n", nil},
		{"a mark that does something", "f\n", "@Cached\nf\n", []string{"f\n"}},
		{"a list", "[\n]\n", "[\n  a,\n]\n", []string{"[\n]\n"}},
		{"an import and more", "f\n", "import a\ng\nf\n", []string{"f\n"}},
		{"an import in a text", "`\n`\n", "`\nimport a\n`\n", []string{"`\n`\n"}},
		{"lines that are only indented", "`\nx()\ny()\n", "`\nif (a) {\n  x()\n  y()\n}\n", []string{"`\nx()\ny()\n"}},
		{
			"a line of a run", "if !has(x) set(x, f(x))\nreturn get(x)\n", "if get(x) == nil set(x, f(x))\nif size > max drop()\nreturn get(x)\n",
			[]string{"if !has(x) set(x, f(x))\nreturn get(x)\n", "if !has(x) set(x, f(x))\nif size > max drop()\nreturn get(x)\n"},
		},
		{"an operator", "all[a] += n\n", "map[a].n = n\n", []string{"all[a] += n\n", "map[a].n += n\n"}},
		{"an operator alone", "a += n\n", "a = n\n", []string{"a += n\n"}},
		{"several operators", "a = b + c\n", "a += b - c\n", []string{"a = b + c\n"}},
		{
			"a name and its import", "from m import UP, D\nb\nr(D, UP)\nz\n", "from m import EVEN, D\nb\nr(D, EVEN)\nz\nnew()\n",
			[]string{"from m import UP, D\nb\nr(D, EVEN)\nz\nnew()\n", "from m import UP, D\nb\nr(D, UP)\nz\nnew()\n", "from m import EVEN, D\nb\nr(D, EVEN)\nz\n"},
		},
	} {
		var got []string
		for _, m := range putBacks(rewriting{was: tc.was, now: tc.now}, code) {
			got = append(got, syntax.Apply(tc.now, []syntax.Edit{m.Edit}))
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}
