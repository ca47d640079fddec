package check

import (
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// A green costs two altered runs: its tests expect something else, and its sources
// are made wrong. The tests of before are on record since the green before it, also
// if a refactoring came between and the red did not compile.
func TestGreen_countOfAlteredRuns(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	start := l.commit("chore: start", calc(sumZero, testZero))
	red := l.must(c, "test: a sum", calc(sumZero, testZero+testSum), start)
	green := l.must(c, "feat: a sum", calc(sum, testZero+testSum), red.commit)
	tidy := l.must(c, "refactor: words", calc("// Sum adds.\n"+sum, testZero+testSum), green.commit)
	red = l.must(c, "test: twice", calc("// Sum adds.\n"+sum, testZero+testSum+testTwo), tidy.commit)
	before := red.j.Project.parts[0].measurer.AlteredCount()
	green = l.must(c, "feat: twice", calc("// Sum adds.\n"+both, testZero+testSum+testTwo), red.commit)
	if n := green.j.Project.parts[0].measurer.AlteredCount() - before; n != 2 {
		t.Errorf("%d altered runs, want 2", n)
	}
}

// What the tests are worth is not measured where nothing that it could show would
// help a commit, nor where nobody asks.
func TestEvidence_isNotMeasuredInVain(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	start := l.commit("chore: start", calc(sum, testZero))
	refused := l.propose(c, "refactor: words", calc("// Sum adds.\n"+sum, testZero+testSum), start)
	l.refused(refused, "same-tests")
	plain := l.proposeAt(c, Proposal{Message: "chore: a test\n", Tree: l.tree(calc(sum, testZero+testSum)), Parent: start, Plain: true})
	if !plain.accepted || plain.j.Case.Evidence != nil {
		t.Errorf("not accepted, or not by its facts alone:\n%s", findings(plain.j))
	}
	if n := refused.j.Project.parts[0].measurer.AlteredCount(); n != 0 {
		t.Errorf("%d altered runs, want none", n)
	}
}
