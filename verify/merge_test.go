package verify_test

import (
	"testing"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/verify"
)

const testBeside = "package calc\n\nimport \"testing\"\n\nfunc TestMore(t *testing.T) {\n\tif got := Sum(0, 0); got != 0 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"

// TestMerges_honest merges branches that took steps, and that gave tests up.
func TestMerges_honest(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	h := honestly(l)
	tidy := calc(tidySum, testZero+testSum)
	more := func(f files) files { return f.With(files{"more_test.go": testBeside}) }
	side := l.commit("test: more\n\nTdd-Outcome: characterization\n", more(tidy), h.tidy)
	docs := l.commit("docs: words", tidy.With(files{"README.md": "one\n"}), h.tidy)
	both := l.commit("Merge branch 'side'", more(tidy).With(files{"README.md": "one\n"}), docs, side)
	back := l.commit(`Revert "test: more"`, tidy, side)
	gone := l.commit("Merge branch 'side' again", tidy.With(files{"README.md": "one\n"}), both, back)
	r := l.run(1, check.UseRecord, append(h.ids(), side, docs, both, back, gone))
	for _, p := range r.Commits {
		if p.Verdict != verify.Held {
			t.Errorf("%s: %s %q", p.Subject, p.Verdict, p.Findings)
		}
	}
}
