package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// What a refactoring adds and nothing uses is told, and refuses nothing.
func TestUnused(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	start := l.commit("chore: start", calc(sumZero, testZero))
	red := l.must(c, "test: a sum", calc(sumZero, testZero+testSum), start)
	green := l.must(c, "feat: a sum", calc(sum, testZero+testSum), red.commit)
	for _, tc := range []struct{ name, source, told string }{
		{"a comment", "// Sum adds.\n" + sum, ""},
		{"a helper that is used", "func Sum(a, b int) int { return plus(a, b) }\n\nfunc plus(a, b int) int { return a + b }\n", ""},
		{"a name that nothing uses", sum + "\n// Max is the larger one.\nfunc Max(a, b int) int { return max(a, b) }\n", "Max"},
		{"a chain", sum + "\nfunc Most(a int) int { return most(a) }\n\nfunc most(a int) int { return a }\n", "Most"},
		{"another name for it", "func Sum(a, b int) int { return Sum2(a, b) }\n\nfunc Sum2(a, b int) int { return a + b }\n", ""},
		{"outside the loop", sum + "\n// Max is the larger one.\nfunc Max(a, b int) int { return max(a, b) }\n", "Max"},
	} {
		kind := "refactor"
		if strings.HasPrefix(tc.name, "outside") {
			kind = "chore"
		}
		s := l.propose(c, kind+": words\n", calc(tc.source, testZero+testSum), green.commit)
		var told []string
		for _, n := range s.j.Case.Unused {
			told = append(told, n.Name)
		}
		if got := strings.Join(told, " "); got != tc.told || !s.accepted {
			t.Errorf("%s: accepted %t, told %q, want %q\n%s", tc.name, s.accepted, got, tc.told, findings(s.j))
		}
		if notes := s.j.Verdict.Notes; tc.told != "" && (len(notes) == 0 || !strings.Contains(notes[0].Seen, strings.Fields(tc.told)[0]) || notes[0].Line == 0) {
			t.Errorf("%s: notes %v", tc.name, notes)
		}
	}
}

// Whoever runs a program uses its entry.
func TestNewNames_entry(t *testing.T) {
	t.Parallel()
	change := gates.Change{Files: []gates.FileChange{{New: &gates.File{
		Path: "Main.java", Kind: gates.KindSource, Source: "class Main {\n    public static void main(String[] args) {\n    }\n\n    static int run() {\n        return 0;\n    }\n}\n",
	}}}}
	var got []string
	for _, n := range newNames(change) {
		got = append(got, n.Name)
	}
	if want := []string{"Main", "run"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
