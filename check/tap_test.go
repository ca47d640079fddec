package check

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// Results in TAP have names that no file declares: a criterion is met by the reds that
// the step says it has. A result without a name is not moved by those that have one.
func TestTAP_criteria(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "sh")
	l := newLab(t)
	base := files{
		".tdd.yaml": "language: {name: generic, test: [t/**], source: [src/**]}\nci: {test_cmd: [sh, t/all], report: tap}\n",
		"kata.md":   "# One\n\n## Acceptance criteria\n\n1. There is a file.\n", "src/value": "0\n",
		"t/all": "echo 1..1\ntrue\necho ok 1\n",
	}
	start := l.commit("chore: start", base)
	asks := base.With(files{"t/all": "echo 1..2\ntest -f src/one && echo 'ok 1 - a file' || { echo 'not ok 1 - a file'; bad=1; }\necho ok 2\ntest -z \"$bad\"\n"})
	red := l.must(l.checker(), "test: a file\n\nTdd-Criterion: 1 (whole)\n", asks, start)
	green := l.must(l.checker(), "feat: a file", asks.With(files{"src/one": "1\n"}), red.commit)
	c := l.checker()
	project, err := c.Project(t.Context(), green.j.Project.Tree)
	gittest.Check(t, err)
	got, err := c.Covered(t.Context(), project, green.commit, green.j.After.Facts)
	gittest.Check(t, err)
	if !got[1].Whole() || strings.Join(got[1].Tests, ", ") != "a file" {
		t.Errorf("%+v", got)
	}
	l.verifies(green.commit)
}
