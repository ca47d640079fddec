package check

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// A proposal is accepted if and only if the commit made from it is: hooks
// accept ⇔ verify accepts.
func TestLaw_proposalAndCommitAgree(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	random := rand.New(rand.NewPCG(3, 5))
	noted := "// Sum adds.\n" + sum
	story := []struct {
		message string
		f       files
	}{
		{"test: sum", calc(sumZero, testZero+testSum)},
		{"feat: sum", calc(sum, testZero+testSum)},
		{"refactor: words", calc(noted, testZero+testSum)},
		{"docs: words", calc(noted, testZero+testSum).With(files{"README.md": "x\n"})},
		{"test: double", calc(noted, testZero+testSum+testTwo).With(files{"README.md": "x\n"})},
		{"fix: double", calc(both, testZero+testSum+testTwo).With(files{"README.md": "x\n"})},
	}
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	hook, verify := l.checker(), l.checker()
	start := l.commit("chore: start", calc(sumZero, testZero))
	parent, next := start, 0
	accepted, refused := 0, 0
	for range 60 {
		f := calc(pick(sumZero, sum, both, sum+"broken\n"), pick(testZero, testZero+testSum, testZero+testSum+testTwo))
		f = f.With(files{"README.md": pick("-", "one\n", "two\n"), ".tdd.yaml": pick(quick, quick, quick, quick+"steps: 3\n")})
		message := pick("test: x", "feat: x", "fix: x", "refactor: x", "docs: x", "chore: x", "Bad words", "test(x): y\n"+sections) +
			pick("", "", "", "\n\nTdd-Outcome: skipped\n", "\n\nTdd-Outcome: characterization\n", "\n\nTdd-Step: 2\n", "\n\nTdd-Tests: 1 passed, 0 failed\n")
		good := random.IntN(2) == 0
		if good { // what a person would do next
			f, message = story[next].f, story[next].message
		}
		model := pick("", "", "m")
		tree := l.tree(f)
		j, err := hook.Judge(context.Background(), Proposal{
			Parent: parent, Tree: tree, Message: message, Agent: model != "",
			Add:     func(s *gates.Step) { s.Model = model },
			Compose: func(s gates.Step, _ *gates.Case) string { return composed(message, s) },
		})
		gittest.Check(t, err)
		if model != "" && j.Step.Number == 0 {
			continue // nothing in such a commit says that a model made it
		}
		commit := l.commitTree(j.Message, tree, parent)
		again, err := verify.Commit(context.Background(), string(commit))
		gittest.Check(t, err)
		if j.Verdict.Accepted() != again.Verdict.Accepted() {
			t.Fatalf("%q\nproposed: %t\n%s\ncommitted: %t\n%s", j.Message, j.Verdict.Accepted(), findings(j), again.Verdict.Accepted(), findings(again))
		}
		switch {
		case !j.Verdict.Accepted():
			refused++
		case good && next+1 < len(story):
			accepted, parent, next = accepted+1, commit, next+1
		default:
			accepted, parent, next = accepted+1, start, 0
		}
	}
	t.Logf("%d accepted, %d refused", accepted, refused)
	if accepted < 5 || refused < 5 {
		t.Error("the proposals show nothing")
	}
	if verify.Count() != 0 {
		t.Errorf("verifying measured %d trees again", verify.Count())
	}
}

func TestCovered(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	start := l.commit("chore: start", calc(sumZero, testZero))
	red := l.must(c, "test: sum\n\nTdd-Criterion: 2\n", calc(sumZero, testZero+testSum), start)
	covered := func(s step) map[int]Covered {
		t.Helper()
		got, err := c.Covered(t.Context(), s.j.Project, s.commit, s.j.After.Facts)
		gittest.Check(t, err)
		return got
	}
	if got := covered(red); len(got[2].Tests) != 0 {
		t.Errorf("a failing test covers: %v", got)
	}
	green := l.must(c, "feat: sum\n\nTdd-Criterion: 2\n", calc(sum, testZero+testSum), red.commit)
	if got := covered(green); len(got) != 1 || len(got[2].Tests) != 1 || !strings.HasSuffix(got[2].Tests[0], "TestSum") || !got[2].Whole() {
		t.Errorf("%v", got)
	}
	// The latest step with a passing test says how far the criterion is covered.
	tests := testZero + testSum
	more := func(name string) string {
		tests += strings.NewReplacer("TestSum", name, "Sum(1, 2); got != 3", "Sum(1, -2); got != -1").Replace(testSum)
		return tests
	}
	pinned := "\n\nTdd-Outcome: characterization\nTdd-Criterion: 2 (%s)\nTdd-Criterion: 3 (some)\n"
	part := l.must(c, "test: negative"+strings.Replace(pinned, "%s", "part", 1), calc(sum, more("TestNegative")), green.commit)
	if got := covered(part); len(got) != 1 || len(got[2].Tests) != 2 || got[2].Whole() || got[2].Extent != gates.Part {
		t.Errorf("%v", got)
	}
	whole := l.must(c, "test: more"+strings.Replace(pinned, "%s", "whole", 1), calc(sum, more("TestMore")), part.commit)
	if got := covered(whole); len(got[2].Tests) != 3 || !got[2].Whole() {
		t.Errorf("%v", got)
	}
	// A row of an old table is no test that is declared anew.
	rows := func(more string) string {
		return tests + "\nfunc TestRows(t *testing.T) {\n\tfor _, row := range [][3]int{{2, 2, 4}, " + more + "} {\n\t\tt.Run(string(rune('a'+row[0])), func(t *testing.T) {\n" +
			"\t\t\tif got := Sum(row[0], row[1]); got != row[2] {\n\t\t\t\tt.Errorf(\"got %d\", got)\n\t\t\t}\n\t\t})\n\t}\n}\n"
	}
	table := l.must(c, "test: rows"+strings.Replace(pinned, "%s", "part", 1), calc(sum, rows("")), whole.commit)
	row := l.must(c, "test: a row\n\nTdd-Outcome: characterization\nTdd-Criterion: 4 (whole)\n", calc(sum, rows("{3, 4, 7}")), table.commit)
	if got := covered(row); len(got[4].Tests) == 0 || !got[4].Whole() {
		t.Errorf("%v", got)
	}
	gone, err := c.Covered(t.Context(), whole.j.Project, whole.commit, part.j.After.Facts)
	if err != nil || gone[2].Whole() {
		t.Errorf("without the last test: %v, %v", gone, err)
	}
	none, err := c.Covered(t.Context(), green.j.Project, start, green.j.After.Facts)
	if err != nil || len(none) != 0 {
		t.Errorf("before any step: %v, %v", none, err)
	}
}

// A red that is withdrawn covers nothing, nor does the step that withdraws it: what passes
// then is the test of before, which may say the contrary.
func TestCovered_withdrawn(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	first := calc(sum, testZero+testSum)
	asks := func(want string) string { return testZero + strings.Replace(testSum, "got != 3", "got != "+want, 1) }
	const disputed = "\n\nTdd-Outcome: disputed\nTdd-Criterion: 1 (whole)\n"
	start := l.commit("chore: start", first)
	red := l.must(c, "test: sum\n\nTdd-Criterion: 1 (whole)\n", calc(sum, asks("4")), start)
	withdrawn := l.must(c, "test: withdraw"+disputed, first, red.commit)
	again := l.must(c, "test: again\n\nTdd-Criterion: 1 (whole)\n", calc(sum, asks("5")), withdrawn.commit)
	mended := l.must(c, "test: mend"+disputed, calc(sum, asks("6")), again.commit)
	gone := l.must(c, "test: withdraw that"+disputed, first, mended.commit)
	for _, s := range []step{withdrawn, gone} {
		got, err := c.Covered(t.Context(), s.j.Project, s.commit, s.j.After.Facts)
		if err != nil || len(got) != 0 {
			t.Errorf("%v, %v", got, err)
		}
	}
	green := l.must(c, "feat: sum", calc(strings.Replace(sum, "a + b", "a * b * 3", 1), asks("6")), mended.commit)
	got, err := c.Covered(t.Context(), green.j.Project, green.commit, green.j.After.Facts)
	if err != nil || len(got) != 1 || !got[1].Whole() {
		t.Errorf("mended and answered: %v, %v", got, err)
	}
}
