package loop_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/loop"
)

func TestCycle(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(), red1, green1, "done")
	l.steps(3)
	var roles []string
	for _, a := range l.landed {
		roles = append(roles, string(a.Step.Role)+" "+string(a.Step.Phase)+" "+string(a.Step.Outcome))
	}
	if got := strings.Join(roles, ", "); got != "tester red , implementor green , refactorer refactor skipped" {
		t.Error(got)
	}
	if got := l.Git("status", "--porcelain"); got != "" {
		t.Errorf("status: %s", got)
	}
	if got := l.Read("src/a1.sh"); got != "# number 1\n" {
		t.Errorf("the files did not follow: %q", got)
	}
	if diff := l.Git("diff", "HEAD~1", "HEAD"); diff != "" {
		t.Errorf("a skipped refactoring changes %s", diff)
	}
	l.verify(4)
}

// verify judges the last commits, as git tdd verify does.
func (l *lab) verify(n int) {
	l.Helper()
	for i := range n {
		rev := fmt.Sprintf("HEAD~%d", i)
		j, err := l.check.Commit(l.Context(), rev)
		if err != nil || !j.Verdict.Accepted() {
			l.Errorf("%s: %v %v\n%s", rev, err, j.Verdict.Findings, l.Git("show", rev))
		}
	}
}

func TestMessage(t *testing.T) {
	t.Parallel()
	kata := "# Numbers\n\n## Acceptance criteria\n\n1. There is a number 1.\n"
	l := newLab(t, shell(".tdd.yaml", shellConfig+"kata_description: kata.md\n", "kata.md", kata),
		"test(numbers): "+strings.Repeat("a very long summary ", 20)+"\ncriterion 1\n=== tests/a1_test.sh\ntest -f src/a1.sh\n",
		"feat: number 1\ncriterion 7\n=== src/a1.sh\n# 1\n")
	l.steps(2)
	for i, want := range []gates.Step{
		{Number: 2, Role: gates.Implementor, Cycle: 1, Phase: gates.PhaseGreen, Model: "script:implementor"},
		{Number: 1, Role: gates.Tester, Cycle: 1, Phase: gates.PhaseRed, Model: "script:tester"},
	} {
		text := l.Git("log", "-1", "--format=%B", fmt.Sprintf("HEAD~%d", i))
		m := commitmsg.Parse(text)
		if bad := m.Check(commitmsg.Rules{RequireSections: true}); len(bad) > 0 {
			t.Errorf("%v in\n%s", bad, text)
		}
		got, ok := gates.ParseStep(m)
		if !ok || got.Number != want.Number || got.Role != want.Role || got.Cycle != want.Cycle || got.Phase != want.Phase || got.Model != want.Model {
			t.Errorf("the trailers say %+v", got)
		}
		if got.Tokens != "100 in, 10 out" || got.Attempts != 1 {
			t.Errorf("%q, %d attempts", got.Tokens, got.Attempts)
		}
		wantIn(t, text, "Kata goal: There is a number 1.")
		if want.Number == 1 && (len(got.Criteria) != 1 || len(got.Red) != 1) {
			t.Errorf("the red step says %+v", got)
		}
	}
	if author := l.Git("log", "-1", "--format=%an <%ae> %cn"); author != "TDD Machine <tdd@local> Ursula User" {
		t.Error(author)
	}
}

// A commit cannot claim a criterion that the kata does not list.
func TestUnknownCriterion(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(".tdd.yaml", shellConfig+"kata_description: kata.md\n", "kata.md", "## Acceptance criteria\n\n1. One.\n"),
		"test: one\ncriterion 99\n=== tests/a1_test.sh\ntest -f src/a1.sh\n")
	l.steps(1)
	wantNotIn(t, l.Git("log", "-1", "--format=%B"), "Tdd-Criterion")
}

// An unusable answer costs an attempt and its tokens, not the step.
func TestBadAnswers(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(), "raw\nI would rather not.", red1)
	asked := 0
	l.model.before = func(llm.Request) error {
		if asked++; asked == 1 {
			return &llm.Error{Kind: llm.KindTruncated, Message: "cut off"}
		}
		return nil
	}
	l.steps(1)
	a := l.landed[0]
	if a.Attempts != 3 || a.Tokens.Prompt != 1+2*100 {
		t.Errorf("%d attempts, %+v", a.Attempts, a.Tokens)
	}
	wantIn(t, l.Git("log", "-1", "--format=%B"), "Tdd-Attempts: 3", "Tdd-Tokens: 201 in, 20 out")
}

func TestRotations(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(".tdd.yaml", shellConfig+"rotation: [tester, implementor]\n"), red1, green1,
		"test: number 2\n=== tests/a2_test.sh\ntest -f src/a2.sh\n")
	l.steps(3)
	if s := l.landed[2].Step; s.Role != gates.Tester || s.Cycle != 2 {
		t.Errorf("%+v", s)
	}
	l.verify(3)

	l = newLab(t, shell(".tdd.yaml", shellConfig+"rotation: [tester, implementor, gardener]\nroles: {gardener: {plays: refactorer}}\n"), red1, green1, tidy1, "test: number 2\n=== tests/a2_test.sh\ntest -f src/a2.sh\n")
	l.steps(4)
	if s := l.landed[2].Step; s.Role != "gardener" || s.Phase != gates.PhaseRefactor || s.Model != "script:gardener" {
		t.Errorf("%+v", s)
	}
	wantIn(t, l.Git("log", "-1", "--format=%B", "HEAD~1"), "Tdd-Role: gardener", "Role: Gardener")
	l.verify(4)
}

func TestCharacterization(t *testing.T) {
	t.Parallel()
	pins := "test: pin it down\n=== tests/p_test.sh\ntest -f src/all.sh\n"
	l := newLab(t, shell(".tdd.yaml", shellConfig+"gates: {characterization: allow}\n"), pins)
	l.steps(1)
	wantIn(t, l.Git("log", "-1", "--format=%B"), "Tdd-Outcome: characterization", "Tdd-Phase: green")
	l.verify(1)
	wantIn(t, strings.Join(runs(l.log("step-1-tester")), " "), "test")
	if n := len(runs(l.log("step-1-tester"))); n != 1 {
		t.Errorf("%d commands in the log for one run", n)
	}
}

// A criterion of which the tester says that more is to come keeps the run from being
// done, and the tester sees which tests cover it so far.
func TestCriterionInPart(t *testing.T) {
	t.Parallel()
	config := shellConfig + "rotation: [tester, implementor]\nkata_description: kata.md\n"
	l := newLab(t, shell(".tdd.yaml", config, "kata.md", "# Numbers\n\n## Acceptance criteria\n\n1. Two files.\n"),
		"test: number 1\ncriterion 1 part\n=== tests/a1_test.sh\ntest -f src/a1.sh\n", green1,
		"done", "test: number 2\ncriterion 1 whole\n=== tests/a2_test.sh\ntest -f src/a2.sh\n", "feat: number 2\n=== src/a2.sh\n# 2\n", "done")
	l.steps(3)
	wantIn(t, strings.Join(l.refused[0].Findings, "\n"), "done: these acceptance criteria are covered in part only", ": 1", `"covered": "whole"`)
	wantIn(t, l.Git("log", "-1", "--format=%B"), "Tdd-Criterion: 1 (whole)")
	wantIn(t, l.Git("log", "-1", "--format=%B", "HEAD~2"), "Tdd-Criterion: 1 (part)")
	wantIn(t, conversation(l.model.edits[2]), "1, in part: tests/a1_test.sh")
	wantNotIn(t, conversation(l.model.edits[2]), "Every criterion is whole")
	l.steps(1)
	_, err := l.step()
	if stop, ok := errors.AsType[*loop.StopError](err); !ok || stop.Reason != loop.Done {
		t.Fatalf("%v", err)
	}
	wantIn(t, conversation(l.model.edits[5]), "whole: 1", "say that nothing is left, unless")
}
