package loop_test

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/loop"
)

const (
	planConfig = shellConfig + "roles: {planner: {model: wise}}\n"
	planKata   = "# Files\n\n## Acceptance criteria\n\n1. There is a file.\n2. There is another.\n"
	aPlan      = `raw
{"requirements":"The requirement is a file of shell.","analysis":"The pattern is one file a number.","tests":[{"id":"first","behaviour":"there is a1","criterion":1,"after":[]},{"id":"second","behaviour":"there is a2","criterion":2,"after":["first"]}]}`
)

// wholeRed is a test that covers the whole of criterion 1.
func wholeRed() string { return strings.Replace(red1, "\n", "\ncriterion 1 whole\n", 1) }

// Before the first step the planner writes the plan into the tree; roles are shown
// what is for them. It stays as it is until it is deleted.
func TestPlan(t *testing.T) {
	t.Parallel()
	another := strings.Replace(aPlan, "The requirement is a file", "Another requirement is a file", 1)
	red2 := "test: number 2\ncriterion 2 whole\n=== tests/a2_test.sh\ntest -f src/a2.sh\n"
	l := newLab(t, shell(".tdd.yaml", planConfig, "kata.md", planKata),
		aPlan, wholeRed(), green1, "done", another, red2, "feat: number 2\n=== src/a2.sh\n# number 2\n", "done", "done")
	l.steps(3)
	l.verify(4)
	first := l.Git("log", "-1", "--format=%B", "HEAD~3")
	wantIn(t, first, "docs(plan): say what the kata asks for", "Tdd-Role: planner", "Tdd-Model: script:planner", "Tdd-Tokens: 100 in, 10 out")
	wantNotIn(t, first, "Tdd-Step")
	wantIn(t, l.Read("docs/plan/test-list.md"), "# Tests", "- first: there is a1 (criterion 1)", "- second: there is a2 (criterion 2); after first")
	wantIn(t, l.model.edits[0].Messages[0].Content, "You are the architect")
	wantIn(t, conversation(l.model.edits[0]), "without a test: 1")
	tester, implementor := conversation(l.model.edits[1]), conversation(l.model.edits[2])
	wantIn(t, tester, "The requirement is a file of shell.", "- second: there is a2")
	wantNotIn(t, tester, "The pattern is one file")
	wantIn(t, implementor, "The pattern is one file a number.")
	wantNotIn(t, implementor, "The requirement is")
	l.Git("rm", "-q", "-r", "docs/plan")
	l.Git("commit", "-q", "--no-verify", "-m", "chore: drop the plan")
	l.steps(3)
	wantIn(t, l.Read("docs/plan/requirements.md"), "Another requirement is")
	message := l.ends(0)
	wantIn(t, message, "Tdd-Outcome: complete")
	l.verify(10)
}

// A planner that brings no plan is told of, and the run goes on without one.
func TestNoPlan(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ answer, why string }{
		"garbage":     {"raw\nFirst of all, think.", `no JSON object with "requirements"`},
		"edits":       {`raw` + "\n" + `{"requirements":"r","analysis":"a","tests":[{"id":"a","behaviour":"b"}],"edits":[{"path":"src/x.sh","action":"upsert","content":"x"}]}`, "neither files nor code"},
		"no tests":    {`raw` + "\n" + `{"requirements":"r","analysis":"a","tests":[]}`, "0 tests"},
		"a circle":    {`raw` + "\n" + `{"requirements":"r","analysis":"a","tests":[{"id":"a","behaviour":"b","after":["a"]}]}`, `the name "a"`},
		"no number":   {`raw` + "\n" + `{"requirements":"r","analysis":"a","tests":[{"id":"a","behaviour":"b","criterion":7}]}`, "the number 7"},
		"no analysis": {`raw` + "\n" + `{"requirements":"r","tests":[{"id":"a","behaviour":"b"}]}`, "no text"},
		"too long":    {`raw` + "\n" + `{"requirements":"` + strings.Repeat("r", 9000) + `","analysis":"a","tests":[{"id":"a","behaviour":"b"}]}`, "nobody reads whole"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, shell(".tdd.yaml", planConfig, "kata.md", planKata), c.answer, c.answer, wholeRed(), green1, "done", "test: number 2\n=== tests/a2_test.sh\ntest -f src/a2.sh\n")
			l.steps(4) // it is not asked again in this run
			wantIn(t, strings.Join(l.notes, "\n"), "the planner (script:planner) brought no plan, and the run goes on without: ", c.why)
			if got := l.Git("log", "--format=%s", "--", "docs", "src/x.sh"); got != "" {
				t.Error(got)
			}
			l.verify(4)
		})
	}
}

// The user's own work is not overwritten.
func TestPlanInTheWay(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(".tdd.yaml", planConfig, "kata.md", planKata), aPlan, wholeRed())
	l.Write("docs/plan/requirements.md", "mine\n")
	l.steps(1)
	wantIn(t, strings.Join(l.notes, "\n"), "brought no plan", "docs/plan/requirements.md")
	if got := l.Read("docs/plan/requirements.md"); got != "mine\n" {
		t.Error(got)
	}
}

// No other role writes the plan.
func TestPlanIsThePlanners(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(".tdd.yaml", planConfig, "kata.md", planKata), aPlan, wholeRed(),
		"feat: number 1\n=== src/a1.sh\n# number 1\n=== docs/plan/requirements.md\nNothing.\n", green1)
	l.steps(2)
	wantIn(t, strings.Join(l.refused[0].Findings, "\n"), "docs/plan/requirements.md")
}

// In isolation the planner sees no sources, and what it writes goes to the tester
// only.
func TestPlanInIsolation(t *testing.T) {
	t.Parallel()
	plan := strings.Replace(aPlan, `"The pattern is one file a number."`, "null", 1)
	l := newLab(t, shell(".tdd.yaml", planConfig+"isolation: strict\n", "kata.md", planKata, "src/all.sh", "# the code of everything\n"),
		plan, wholeRed(), green1, "done")
	l.steps(3)
	wantNotIn(t, conversation(l.model.edits[0]), "the code of everything")
	wantIn(t, conversation(l.model.edits[1]), "The requirement is a file of shell.", "- second: there is a2")
	for _, i := range []int{2, 3} {
		wantNotIn(t, conversation(l.model.edits[i]), "requirement is", "there is a2", "The pattern")
	}
	l.verify(4)
}

// A planner that cannot be asked ends the run, as for any role.
func TestPlannerBudget(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(".tdd.yaml", planConfig, "kata.md", planKata))
	if stop := l.stops(loop.NoAnswer); !strings.Contains(stop.Text, "no more answers") {
		t.Error(stop)
	}
}
