package loop_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/loop"
)

const (
	wrong   = "test: number 1 is missing\n=== tests/b1_test.sh\ntest ! -f src/all.sh\n"
	objects = "dispute b1_test.sh wants src/all.sh gone, which the first test needs"
	mended  = "test: number 1, rightly\n=== tests/b1_test.sh\ntest -f src/b1.sh\n"
	answers = "feat: number 1\n=== src/b1.sh\n# number 1\n"
	takes   = "done"
)

// TestDisputeMended lets a model dispute the red: the tester's next commit mends
// it, and only then is it answered.
func TestDisputeMended(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(), wrong, objects, mended, answers)
	l.steps(3)
	step := l.landed[1].Step
	if step.Role != gates.Tester || step.Phase != gates.PhaseRed || step.Outcome != gates.Disputed || step.Number != 2 || len(step.Red) != 1 {
		t.Errorf("%+v", step)
	}
	message := l.Git("log", "-1", "--format=%B", "HEAD~1")
	wantIn(t, message, "test: number 1, rightly", "- Disputed: b1_test.sh wants src/all.sh gone", "Tdd-Outcome: disputed", "Tdd-Tokens: 200 in, 20 out")
	tester := l.model.requests[2] // after those of two turns
	wantIn(t, tester.Label, "step 2 · tester")
	wantIn(t, conversation(tester), "Why the failing test is disputed (data)", "b1_test.sh wants src/all.sh gone")
	wantIn(t, conversation(tester), "Your last failing test is disputed", "the program undoes all that its step changed")
	wantIn(t, strings.Join(l.notes, "\n"), "disputes the red of step 1")
	l.verified()
}

// TestDisputeWithdrawn lets the tester take the red back: the tree is as before
// it, and the next red is the tester's too.
func TestDisputeWithdrawn(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(), wrong, objects, takes, mended, answers)
	l.steps(2)
	if step := l.landed[1].Step; step.Phase != gates.PhaseGreen || step.Outcome != gates.Disputed || len(step.Red) != 0 {
		t.Errorf("%+v", step)
	}
	if diff := l.Git("diff", "HEAD~2", "HEAD"); diff != "" {
		t.Errorf("not as before the red:\n%s", diff)
	}
	wantIn(t, l.Git("log", "-1", "--format=%B"), "test: withdraw the disputed red", "all that the red changed is taken back")
	l.open() // another process, which knows only the history
	l.steps(2)
	if roles := []gates.Role{l.landed[2].Step.Role, l.landed[3].Step.Role}; roles[0] != gates.Tester || roles[1] != gates.Implementor {
		t.Errorf("%v", roles)
	}
	l.verified()
}

// TestDisputeWithdrawnIsTold: what is withdrawn covers no criterion, and the next tester is told of it and why.
func TestDisputeWithdrawnIsTold(t *testing.T) {
	t.Parallel()
	ofOne := strings.Replace(wrong, "\n", "\ncriterion 1 whole\n", 1)
	l := newLab(t, shell("kata.md", finalKata, "tests/b1_test.sh", "test -f src/all.sh\n"), ofOne, objects, takes, mended)
	l.steps(3)
	message := l.Git("log", "-1", "--format=%B", "HEAD~1") + "\n"
	wantIn(t, message, "test: withdraw the disputed red", "\nTdd-Criterion: 1\n")
	tester := conversation(l.model.requests[3])
	wantIn(t, tester, "without a test: 1", "Last step: the disputed test is withdrawn", "\nDisputed: b1_test.sh wants src/all.sh gone")
	wantNotIn(t, conversation(l.model.requests[2]), "is withdrawn\n")
	l.verified()
}

// TestDisputesEverything: an implementor that disputes whatever it gets is asked
// for it twice, then a person is; the count is in the history.
func TestDisputesEverything(t *testing.T) {
	t.Parallel()
	again := func(n string) string {
		return "test: again " + n + "\n=== tests/b1_test.sh\ntest -f src/b" + n + ".sh\n"
	}
	l := newLab(t, shell(), wrong, objects, again("2"), objects, takes, again("3"), objects)
	l.steps(4)
	l.open()
	stop := l.stops(loop.Disputed)
	wantIn(t, stop.Error(), "disputed: ", "was disputed 2 times already", "tests/b1_test.sh (exit-code)", "which the first test needs", `--trailer "Tdd-Outcome: disputed"`)
	if len(l.model.script) != 0 {
		t.Errorf("%d answers were not asked for", len(l.model.script))
	}
	// A person mends it, and the run goes on.
	l.Write("tests/b1_test.sh", "test -f src/b1.sh\n")
	l.Commit("test: number 1, by hand\n\nTdd-Step: 5\nTdd-Role: tester\nTdd-Cycle: 5\nTdd-Phase: red\nTdd-Red: tests/b1_test.sh (exit-code)\nTdd-Outcome: disputed")
	l.open()
	l.model.script = []string{answers}
	l.steps(1)
	l.verified()
}

// A person disputes by a word on the command line.
func TestDisputeByAPerson(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(".tdd.yaml", shellConfig+"roles: {implementor: {model: human}}\n"), wrong, mended)
	if _, err := l.loop().Dispute(l.Context(), "nothing is red"); !errors.Is(err, loop.ErrNotReady) {
		t.Errorf("on green: %v", err)
	}
	l.steps(1)
	wantIn(t, l.stops(loop.HumanTurn).Text, "git tdd step --dispute")
	if _, err := l.loop().Dispute(l.Context(), " \u200b"); !errors.Is(err, loop.ErrNotReady) {
		t.Errorf("without a reason: %v", err)
	}
	done, err := l.loop().Dispute(l.Context(), "src/all.sh cannot go")
	if err != nil || done.Step.Outcome != gates.Disputed || done.Step.Role != gates.Tester {
		t.Errorf("%+v, %v", done.Step, err)
	}
	wantIn(t, l.Git("log", "-1", "--format=%B"), "Disputed: src/all.sh cannot go")
}

// Where a person is the tester, a model's dispute is a person's to answer.
func TestDisputeGoesToAPerson(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(".tdd.yaml", shellConfig+"roles: {tester: {model: human}}\n"), objects)
	l.Write("tests/b1_test.sh", "test ! -f src/all.sh\n")
	l.Commit("test: number 1\n\nTdd-Step: 1\nTdd-Role: tester\nTdd-Cycle: 1\nTdd-Phase: red\nTdd-Red: tests/b1_test.sh (exit-code)")
	wantIn(t, l.stops(loop.HumanTurn).Text, "step 2 is yours", "which the first test needs", "Tdd-Outcome: disputed")
}

// TestDisputeIsNoWayAround: what a tester may not do on green it may not do in a
// dispute, and nobody but an implementor disputes.
func TestDisputeIsNoWayAround(t *testing.T) {
	t.Parallel()
	one := "max_attempts_per_agent: 1\n" + shellConfig
	for name, c := range map[string]struct{ answer, want string }{
		"turns it green":       {"test: pass\n=== tests/b1_test.sh\ntrue\n", "red: no added or changed test fails"},
		"answers it":           {"test: pass\n=== src/b1.sh\n# b\n", "scope: src/b1.sh"},
		"takes another along":  {"test: less\n=== delete tests/b1_test.sh\n=== tests/a0_test.sh\ntrue\n", "red: "},
		"leaves it":            {"test: same\n=== tests/b1_test.sh\ntest ! -f src/all.sh\n", "plan: the edits change nothing"},
		"disputes the dispute": {objects, "a dispute by the tester"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, shell(".tdd.yaml", one, "tests/a0_test.sh", "test -f src/all.sh\n"), wrong, objects, c.answer)
			l.steps(1)
			_ = l.stops(loop.Stuck)
			wantIn(t, strings.Join(l.refused[0].Findings, "\n"), c.want)
		})
	}
	l := newLab(t, shell(".tdd.yaml", one), objects)
	_ = l.stops(loop.Stuck)
	wantIn(t, l.refused[0].Findings[0], "a dispute by the tester where its role has no red")
	both := `raw` + "\n" + `{"edits":[{"path":"src/b.sh","action":"upsert","content":"#"}],"dispute":"no"}`
	l = newLab(t, shell(".tdd.yaml", one), wrong, both)
	l.steps(1)
	_ = l.stops(loop.Stuck)
	wantIn(t, l.refused[0].Findings[0], "a dispute, and something else")
}

// verified has every commit judged anew.
func (l *lab) verified() {
	l.Helper()
	l.open()
	for rev := range strings.FieldsSeq(l.Git("rev-list", "HEAD", "^"+l.Git("rev-list", "--max-parents=0", "HEAD"))) {
		j, err := l.check.Commit(l.Context(), rev)
		if err != nil || !j.Verdict.Accepted() {
			l.Errorf("%s: %v, %v", l.Git("log", "-1", "--format=%s", rev), j.Verdict.Findings, err)
		}
	}
}
