package prove

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

// A table of the values that all new checks ask for is told; not if one of them asks for
// something else. Of a single check that is a line that gives its answer and nothing else.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name          string
		checks, lines []string
		want          string
	}{
		{"a table", []string{"assertEquals(1, off(10));", "assertEquals(3, off(30));"}, []string{"case 10: return 1;", "case 30: return 3;"}, "1 2"},
		{"over two lines", []string{"assert f('a', 2) == 7", `assert f("b", 3) == 9`}, []string{"if x == 'a' and n == 2:", "return 7", "if x == 'b' and n == 3:", "return 9"}, "1 3"},
		{"in one line", []string{"assert_equal 'I', f(1)", "assert_equal 'IV', f(4)"}, []string{"{ 1 => 'I', 4 => 'IV' }.fetch(n)"}, "1"},
		{"a rule", []string{"assertEquals(1, off(10));", "assertEquals(3, off(30));"}, []string{"return pieces / 10;"}, ""},
		{"a rule with steps", []string{"assert f(4) == 'IV'", "assert f(1) == 'I'", "assert f(6) == 'VI'"}, []string{"(4, 'IV'),", "(1, 'I'),"}, ""},
		{"one pair", []string{"assert f('a') == 'b'"}, []string{"{'a': 'b'}"}, ""},
		{"one answer", []string{"assert double(4) == 8"}, []string{"def double(n):", "    return 8"}, "2"},
		{"one answer of a body", []string{"assert_eq!(double(4), 8);"}, []string{"pub fn double(n: i32) -> i32 {", "    8", "}"}, "2"},
		{"one answer behind a condition", []string{"assert f('x', 3) == 'much'"}, []string{"    if n > 2:", "        return 'much'"}, ""},
		{"one answer without a question", []string{"assert version() == '1.2'"}, []string{"return '1.2'"}, ""},
		{"a number with strokes", []string{"assert_eq!(f(1000), 2);", "assert_eq!(f(7), 3);"}, []string{"1_000 => 2,", "7 => 3,"}, "1 2"},
	} {
		p := proof{added: map[string]map[int]string{"a": {}}}
		p.Change.Files = []gates.FileChange{{New: &gates.File{Assertions: tc.checks}}}
		for i, line := range tc.lines {
			p.added["a"][i+1] = line
		}
		var got []string
		for _, l := range p.answers() {
			got = append(got, strings.TrimPrefix(l.Where(), "a:"))
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}
