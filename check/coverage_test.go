package check

import (
	"strings"
	"testing"
)

// A refactoring that adds what no test reaches is refused where the policy says
// so, by whoever judges it; coverage is measured for it alone.
func TestStory_refactorKeepsCoverage(t *testing.T) {
	t.Parallel()
	needGo(t)
	l := newLab(t)
	c := l.checker()
	on := files{".tdd.yaml": quick + "gates: {coverage: on}\n"}
	never := "\nfunc never() int { return 1 }\n"
	start := l.commit("chore: start", calc(sumZero, testZero).with(on))
	red := l.must(c, "test: sum", calc(sumZero, testZero+testSum).with(on), start)
	green := l.must(c, "feat: sum", calc(sum+never, testZero+testSum).with(on), red.commit)
	if c.Count() != 3 {
		t.Errorf("%d measurements, want 3: only a refactoring needs coverage", c.Count())
	}
	tidy := l.must(c, "refactor: a word", calc("// Sum adds.\n"+sum+never, testZero+testSum).with(on), green.commit)
	if len(tidy.j.Verdict.Notes) > 0 || c.Count() != 6 { // its facts, and coverage before and after
		t.Errorf("%d measurements, want 6; %v", c.Count(), tidy.j.Verdict.Notes)
	}
	more := calc(sum+never+strings.ReplaceAll(never, "never", "ever"), testZero+testSum)
	l.refused(l.propose(c, "refactor: more", more.with(on), green.commit), "coverage")
	l.must(c, "refactor: less", calc(sum, testZero+testSum).with(on), green.commit)
	broken := calc("func Sum(a, b int) int { return a }\n", testZero+testSum)
	before := c.Count()
	l.refused(l.propose(c, "refactor: wrong", broken.with(on), green.commit), "same-tests")
	if c.Count() != before+1 {
		t.Errorf("%d measurements: what is refused anyway needs no coverage", c.Count()-before)
	}
	l.verifies(tidy.commit)
	f := l.checker(fresh)
	if j, err := f.Commit(t.Context(), string(tidy.commit)); err != nil || !j.Verdict.Accepted() || f.Count() != 4 { // both trees, each with coverage and without
		t.Errorf("anew: %v, %d measurements\n%s", err, f.Count(), findings(j))
	}
}

// Where coverage cannot be measured the judgement says so, and nothing else.
func TestStory_refactorWithoutCoverage(t *testing.T) {
	t.Parallel()
	needGo(t)
	l := newLab(t)
	c := l.checker()
	mute := files{".tdd.yaml": "ci: {test_cmd: [sh, -c, go test ./...], check_cmd: []}\ngates: {coverage: on}\n"}
	start := l.commit("chore: start", calc(sum, testZero).with(mute))
	tidy := l.must(c, "refactor: a word", calc("// Sum adds.\n"+sum, testZero).with(mute), start)
	if notes := tidy.j.Verdict.Notes; len(notes) != 1 || notes[0].Gate != "coverage" || !strings.Contains(notes[0].Seen, "the test command is sh") {
		t.Errorf("%v", notes)
	}
}
