package prove

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

// A table of the values that all new checks ask for is told; not if one of them asks for
// something else.
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

// Numbers that are singled out and given by tests are told; not limits, whose neighbours tests
// give, not the numbers from one on, and not if a part of a number is asked for.
func TestSingled(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, tests, lines, want string }{
		{"in a list", "(10, 'a')\n(11, 'b')\n(12, 'b')\n(112, 'b')\n(14, 'a')", "def f(n):\n    if n in (11, 12, 112):", "2"},
		{"in a method's list", "[11, 12, 113]", "  return [11, 12, 113].includes(n);\n  return [11,12,113].map(f)", "1"},
		{"in a condition", "f(11) f(12) f(13) f(14)", "if (n == 11 || n == 12 || n == 13) {", "1"},
		{"row by row", "2022 2023 2025", "  2022 => '04-17',\n  2023 => '04-09',\n  2025 => '04-20',\n  default => null,", "1"},
		{"in tuples", "2000-01-02 2008-01-02 2011-03-04 1999-10-03", "    (2000, 4, 23),\n    (2008, 3, 23),\n    (2011, 4, 24),\n];", "1"},
		{"case by case", "10 20 30", "case 10: return 1;\ncase 20: return 2;\ncase 30: return 3;", "1"},
		{"one is not given", "10 20", "case 10: return 1;\ncase 20: return 2;\ncase 30: return 3;", ""},
		{"limits", "9 10 49 50 99 100", "{10, 5},\n{50, 4},\n{100, 3},", ""},
		{"from one on", "1 2 3 4 5 6 7 8 9 10 11 12", "1 => 31,\n2 => 28,\n3 => 31,\n4 => 30,\n5 => 31,\n6 => 30,\n7 => 31,\n8 => 31,\n9 => 30,\n10 => 31,\n11 => 30,\n12 => 31,", ""},
		{"digits", "3 5 7", "if n in (3, 5, 7):", ""},
		{"of a part", "11 12 13", "if n % 100 in (11, 12, 13):", ""},
		{"case by case, several", "1 2 3 4 11 21 22 23 24", "    case $1 in\n        1 | 21) printf '%dst' $1 ;;\n        2 | 22) x ;;\n        3 | 23) y ;;\n", "2"},
		{"in one line", "1 2 3 4 21 22 23 24", "SUFFIX = {1: 'st', 2: 'nd', 21: 'st', 22: 'nd'}", "1"},
		{"of a part, case by case", "11 12 13 21 22 23", "match n % 100 {\n    11 | 12 | 13 => \"th\",\n    21 | 22 | 23 => \"th\",\n", ""},
		{"several numbers of a case", "30 31 28", "  case 14, 16, 19 -> 30;\n  case 12, 28 -> 28;", ""},
		{"several numbers of a case, given", "14 16 19 28 12", "  case 14, 16, 19 -> 30;\n  case 12, 28 -> 28;", "1"},
		{"two", "11 12", "if n in (11, 12):", ""},
		{"apart", "10 20 30", "case 10: return 1;\nfoo();\ncase 20: return 2;\nfoo();\ncase 30: return 3;", ""},
	} {
		p := proof{Report: Report{Verdict: Proven}, added: map[string]map[int]string{"a": {}}}
		p.Change.Files = []gates.FileChange{{New: &gates.File{Test: tc.tests}}}
		for i, line := range strings.Split(tc.lines, "\n") {
			p.added["a"][i+1] = line
		}
		var got []string
		for _, l := range p.singled() {
			got = append(got, strings.TrimPrefix(l.Where(), "a:"))
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}
