package loop_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/loop"
)

// tapProject is a shell project that names its tests, has two criteria, and asks
// agents for acceptance tests.
func tapProject(gatesOn string) gittest.Files {
	return gittest.Files{
		".tdd.yaml": "language: {name: sh, test: [\"tests/*_test.sh\"], support: [tests/all.sh], source: [\"src/**\"], declares: [\"# checks (\\\\w+)\"]}\nci: {test_cmd: [sh, tests/all.sh], report: tap}\nmax_attempts_per_agent: 5\ngates: {" + gatesOn + "}\n",
		"tests/all.sh": "n=0 bad=0\nfor t in tests/*_test.sh; do\n\tn=$((n + 1)) name=${t#tests/}\n" +
			"\tif sh \"$t\"; then echo \"ok $n - ${name%_test.sh}\"; else echo \"not ok $n - ${name%_test.sh}\"; bad=1; fi\ndone\necho \"1..$n\"\nexit $bad\n",
		"tests/base_test.sh": "# checks base\ntest -f src/all.sh\n",
		"src/all.sh":         "# all\n",
		"kata.md":            "# Parts\n\n## Acceptance criteria\n\n1. Both parts are there.\n2. The last part is there.\n",
	}
}

const doubleLoop = "double_loop: on"

// inner and its answer are one inner cycle.
func inner(part string) []string {
	return []string{
		"test: part " + part + "\ncriterion 1 part\n=== tests/" + part + "_test.sh\n# checks " + part + "\ntest -f src/" + part + ".sh\n",
		"feat: part " + part + "\n=== src/" + part + ".sh\n# part " + part + "\n",
		"done", // nothing to refactor
	}
}

const outerTest = "test: both parts\ncriterion 1 acceptance\n=== tests/whole_test.sh\n# checks whole\ntest -f src/a.sh && test -f src/b.sh\n"

// TestDoubleLoop: an acceptance test stays red over two inner cycles, the second
// of which lets it pass, and the kata is done. A small criterion needs none.
func TestDoubleLoop(t *testing.T) {
	t.Parallel()
	l := newLab(t, tapProject(doubleLoop), slices.Concat([]string{outerTest}, inner("a"), inner("b"), []string{
		"test: the last part\ncriterion 2 whole\n=== tests/last_test.sh\n# checks last\ntest -f src/last.sh\n", "feat: the last part\n=== src/last.sh\n# last\n", "done", "done",
	})...)
	l.steps(1)
	opened := l.landed[0].Step
	if opened.Phase != gates.PhaseGreen || opened.Outcome != gates.Acceptance || len(opened.Red) != 0 || len(opened.Acceptance) != 1 || opened.Acceptance[0].ID != "whole" {
		t.Errorf("%+v", opened)
	}
	wantIn(t, conversation(l.model.edits[0]), "Criterion 1 has no acceptance test yet", `"acceptance" if this is`)
	l.open() // another process, which knows only the history
	l.steps(6)
	for i, want := range []gates.Role{gates.Tester, gates.Tester, gates.Implementor, gates.Refactorer, gates.Tester, gates.Implementor, gates.Refactorer} {
		if got := l.landed[i].Step; got.Role != want || (len(got.Accepted) > 0) != (i == 5) {
			t.Errorf("step %d: %+v", i+1, got)
		}
	}
	wantIn(t, conversation(l.model.edits[1]), "An acceptance test is open", "on the way to it")
	wantIn(t, conversation(l.model.edits[2]), "Open acceptance test, known to be red, which this step need not answer: whole")
	wantIn(t, strings.Join(l.notes, "\n"), "the acceptance test of criterion 1 passes by this commit")
	l.steps(3)
	wantIn(t, conversation(l.model.edits[7]), "Criterion 2 has no acceptance test yet")
	if _, err := l.step(); err == nil || !strings.Contains(err.Error(), "every acceptance criterion") {
		t.Errorf("%v", err)
	}
	l.verified()
}

// TestDoubleLoopInIsolation: what each role is told of an open acceptance test is
// traced, and shows no requirement to who may not see it.
func TestDoubleLoopInIsolation(t *testing.T) {
	t.Parallel()
	project := tapProject(doubleLoop)
	project[".tdd.yaml"] += "isolation: strict\n"
	l := newLab(t, project, slices.Concat([]string{outerTest}, inner("a"), inner("b"))...)
	l.steps(7)
	if implementor := conversation(l.model.edits[2]); strings.Contains(implementor, "Both parts are there") || !strings.Contains(implementor, "Open acceptance test, known to be red") {
		t.Errorf("the implementor was told:\n%s", implementor)
	}
	l.verified()
}

// TestNothingLeftWhileAcceptanceIsRed stops the run, with the evidence; a dispute
// then takes the test back.
func TestNothingLeftWhileAcceptanceIsRed(t *testing.T) {
	t.Parallel()
	l := newLab(t, tapProject(doubleLoop), slices.Concat([]string{outerTest}, inner("a"), []string{"done", takes, "done"})...)
	l.steps(4)
	stop := l.stops(loop.Unmet)
	wantIn(t, stop.Error(), "unmet: the tester has nothing left", "whole (criterion 1)", "step 1: git show", "2: step 3, feat: part a", "git tdd step --dispute")
	l.open()
	done, err := l.loop().Dispute(l.Context(), "the parts need not both be there")
	gittest.Check(t, err)
	if s := done.Step; s.Outcome != gates.Disputed || s.Role != gates.Tester || s.Phase != gates.PhaseGreen || len(s.Acceptance) != 0 {
		t.Errorf("%+v", s)
	}
	if files := l.Git("ls-files", "tests/whole_test.sh"); files != "" {
		t.Error("the acceptance test is still there")
	}
	l.verified()
}

// TestAcceptanceMended: a dispute of an open acceptance test makes another of it.
func TestAcceptanceMended(t *testing.T) {
	t.Parallel()
	l := newLab(t, tapProject(doubleLoop), slices.Concat([]string{outerTest}, inner("a"), []string{
		"test: part b\n=== tests/whole_test.sh\n# checks whole\ntest -f src/a.sh && test -f src/c.sh\n",
	}, inner("c"))...)
	l.steps(4)
	done, err := l.loop().Dispute(l.Context(), "b is no part")
	gittest.Check(t, err)
	if s := done.Step; s.Outcome != gates.Disputed || len(s.Acceptance) != 1 || len(s.Red) != 0 || s.Phase != gates.PhaseGreen {
		t.Errorf("%+v", s)
	}
	l.open()
	l.steps(2)
	if s := l.landed[len(l.landed)-1].Step; len(s.Accepted) != 1 || s.Accepted[0] != "whole" {
		t.Errorf("%+v", s)
	}
	l.verified()
}

// TestAcceptanceOpenForEver: inner cycles count whatever criterion they name.
func TestAcceptanceOpenForEver(t *testing.T) {
	t.Parallel()
	script := []string{outerTest}
	for _, part := range []string{"x", "y", "z", "last"} {
		for _, answer := range inner(part) {
			script = append(script, strings.Replace(answer, "criterion 1 part\n", "", 1))
		}
	}
	project := tapProject(doubleLoop)
	project[".tdd.yaml"] = strings.Replace(project[".tdd.yaml"], "max_attempts_per_agent: 5", "max_attempts_per_agent: 1", 1)
	l := newLab(t, project, script...)
	l.steps(7)
	stop := l.stops(loop.MaxCycles)
	wantIn(t, stop.Error(), "2 inner cycles, and an acceptance test is red", "3: step 6, feat: part y")
}

// TestAcceptanceIsNoWayOut: a model that calls its red an acceptance test where
// nobody asks for one, or a second time, or that bends the open one, is refused.
func TestAcceptanceIsNoWayOut(t *testing.T) {
	t.Parallel()
	l := newLab(t, tapProject(""), append([]string{outerTest}, inner("a")...)...)
	l.steps(1)
	wantIn(t, fmt.Sprint(l.refused), "an acceptance test by an agent; the policy does not ask for one")
	if s := l.landed[0].Step; s.Phase != gates.PhaseRed {
		t.Errorf("%+v", s)
	}

	second := strings.NewReplacer("whole", "other", "criterion 1", "criterion 2").Replace(outerTest)
	weak := "test: part a\n=== tests/a_test.sh\n# checks a\ntest -f src/a.sh\n=== tests/whole_test.sh\n# checks whole\ntest -f src/a.sh\n"
	l = newLab(t, tapProject(doubleLoop), append([]string{outerTest, second, weak}, inner("a")...)...)
	l.steps(2)
	wantIn(t, fmt.Sprint(l.refused), "acceptance: whole: the acceptance test of step 1 is open", "acceptance: tests/whole_test.sh, whole: what stands beside the open acceptance test in its file changes")
	l.verified()
}

// TestCyclesThatBringNothing: after two tests in a row that pass at once and move no
// criterion the next must fail, even where the policy allows them; then the run goes
// on. A tester that writes no other ends it.
func TestCyclesThatBringNothing(t *testing.T) {
	t.Parallel()
	there := func(n int) string {
		return fmt.Sprintf("test: it is there %d\ncriterion 1 part\n=== tests/there%d_test.sh\n# checks there%d\ntest -f src/all.sh\n", n, n, n)
	}
	project := tapProject("characterization: allow")
	project[".tdd.yaml"] = strings.Replace(project[".tdd.yaml"], "max_attempts_per_agent: 5", "max_attempts_per_agent: 15", 1)
	l := newLab(t, project, there(1), there(2), there(3), there(4), inner("a")[0], inner("a")[1], "done", there(5), there(6), there(7), there(8), there(9))
	l.steps(3) // the first of them moves the criterion: a part of it is covered
	l.steps(3)
	wantIn(t, fmt.Sprint(l.refused), "2 cycles in a row brought nothing", "steps 2 and 3", "write one that fails")
	l.steps(2)
	stop := l.stops(loop.NoProgress)
	wantIn(t, stop.Error(), "2 cycles in a row brought nothing", "steps 7 and 8")
}
