package prove

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

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
