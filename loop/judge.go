package loop

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// apply writes the edits on top of HEAD's tree, as objects: no file of the user
// is touched, and none of the workbench by a path that a model named.
func (l *Loop) apply(ctx context.Context, t *turn, a *attempt) error {
	modes := map[string]string{}
	for _, e := range t.project.Entries {
		modes[e.Path] = e.Mode
	}
	problems := agents.CheckPaths(a.plan, modes, offLimits(t))
	if len(problems) == 0 {
		var err error
		if problems, err = l.lookAgain(ctx, t, a.plan); err != nil {
			return err
		}
	}
	if len(problems) > 0 {
		a.refusePlan(problems)
		return nil
	}
	var edits []gitx.TreeEdit
	var written []string
	for _, e := range a.plan.Edits {
		edits = append(edits, gitx.TreeEdit{Path: e.Path, Content: []byte(e.Content), Delete: e.Action == agents.Delete})
		if e.Action != agents.Delete {
			written = append(written, e.Path)
		}
	}
	tree, err := l.opts.Repo.WriteTree(ctx, t.head.Tree, edits)
	if err != nil {
		return err
	}
	l.doing(t.doing(a.number, "fmt"))
	formatted, run, err := t.project.Format(ctx, tree, written)
	if err != nil {
		return err
	}
	t.log.ran(run)
	a.tree = formatted
	if a.tree == t.head.Tree {
		a.refuse(gates.Finding{
			Gate: "plan", Seen: "the edits change nothing", Remedy: "change something, or answer that you are done",
		})
	}
	return nil
}

// judge asks the gates.
func (l *Loop) judge(ctx context.Context, t *turn, a *attempt) error {
	measured := l.opts.Checker.Count()
	var err error
	a.judged, err = l.opts.Checker.Judge(ctx, l.proposal(t, a))
	if err != nil {
		return err
	}
	if l.opts.Checker.Count() > measured { // what is on record was not run
		for _, r := range a.judged.After.Runs {
			t.log.ran(r)
		}
	}
	for _, f := range a.judged.Verdict.Findings {
		a.refuse(f)
	}
	a.unjudged = !a.judged.Verdict.Judged
	for _, f := range a.judged.Verdict.Notes {
		if a.accepted() {
			l.note("%s", f)
		}
	}
	return nil
}

// judgeTest asks the gates about a tester's change: as a red test or, where it
// passes at once and the policy allows agents that, as a characterization.
func (l *Loop) judgeTest(ctx context.Context, t *turn, a *attempt) error {
	if err := l.judge(ctx, t, a); err != nil || a.accepted() {
		return err
	}
	if t.project.Settings.Gates.Characterization != gates.Allow || !a.judged.Case.After.Green() {
		return nil
	}
	second := attempt{number: a.number, answer: a.answer, plan: a.plan, tree: a.tree, special: gates.Characterization}
	if err := l.judge(ctx, t, &second); err != nil {
		return err
	}
	if second.accepted() {
		*a = second
	}
	return nil
}

// nothingLeft takes a role's word that there is nothing to do, and holds it
// against the facts where it can be. A plan that says so is void with it.
func (l *Loop) nothingLeft(ctx context.Context, t *turn, a *attempt) error {
	switch t.plays {
	case gates.Refactorer:
		a.tree, a.special = t.head.Tree, gates.Skipped
		return l.judge(ctx, t, a)
	case gates.Tester:
		completed(t, a)
	case gates.Implementor:
		a.refuse(gates.Finding{
			Gate: "plan", Seen: "the " + string(t.role) + " says that it is done, but a test is failing", Remedy: "make the failing test pass",
		})
	}
	if !a.accepted() {
		t.plan = ""
	}
	return nil
}

// completed holds "there is nothing left to test" against the kata's criteria.
func completed(t *turn, a *attempt) {
	var open []string
	next := 0
	for _, c := range t.material.Criteria {
		if !c.Covered {
			open = append(open, strconv.Itoa(c.ID))
			next = cmp.Or(next, c.ID)
		}
	}
	switch {
	case len(open) > 0:
		a.refuse(gates.Finding{
			Gate: "done", Seen: "no passing test covers these acceptance criteria yet: " + join(open, 20),
			Remedy: fmt.Sprintf("write one failing test, for criterion %d, and answer \"criterion\": %d", next, next),
		})
	case !t.pos.Started() || !t.before.Facts.Green():
		a.refuse(gates.Finding{
			Gate: "done", Seen: "nothing can be done where no step has been taken, or where not every test passes", Remedy: "write one failing test",
		})
	}
	a.complete, a.tree = a.accepted(), t.head.Tree
}

// serves is the acceptance criterion that a tester says it serves, 0 where the
// kata lists none of that number.
func (t *turn) serves(a *attempt) int {
	for _, c := range t.material.Criteria {
		if c.ID == a.plan.Criterion {
			return c.ID
		}
	}
	return 0
}
