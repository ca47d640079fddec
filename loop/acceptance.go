package loop

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

func (t turn) isOpen(id string) bool {
	return slices.ContainsFunc(t.history.Open, func(o gates.OpenTest) bool { return o.ID == id })
}

// green reports whether every test passes but for the open acceptance tests.
func (t turn) green(f gates.Facts) bool {
	others := slices.ContainsFunc(f.With(gates.StatusFailed), func(x gates.Test) bool { return !t.isOpen(x.ID) })
	if len(t.history.Open) > 0 && f.Outcome == gates.Failed && !others {
		f.Outcome = gates.Passed
	}
	return f.Green()
}

// begins is the first criterion that a tester is to begin with an acceptance test; 0 while one is open.
func begins(t turn, criteria []agents.Criterion) int {
	if t.plays != gates.Tester || t.project.Settings.Gates.DoubleLoop != gates.On || len(t.history.Open) > 0 || t.dispute.why != "" {
		return 0
	}
	c, _ := gates.Find(criteria, func(c agents.Criterion) bool { return !c.Whole && c.Outer == "" })
	return c.ID
}

// unmet stops a tester that has nothing left while an acceptance test is open.
func (l *Loop) unmet(ctx context.Context, s *step) error {
	if s.plays != gates.Tester || len(s.history.Open) == 0 {
		return nil
	}
	evidence, _, err := l.outer(ctx, s)
	if err != nil {
		return err
	}
	return &StopError{Reason: Unmet, Text: "the " + string(s.role) + " has nothing left, and an acceptance test is red" + evidence}
}

// tooManyCycles stops a tester that goes on with a criterion or acceptance test beyond twice the attempts
// of a step: ten cycles by default.
func (l *Loop) tooManyCycles(ctx context.Context, s *step, p proposal) error {
	id, most := s.serves(p.edits), 2*s.project.Settings.MaxAttempts
	switch {
	case s.plays != gates.Tester || s.dispute.why != "":
		return nil
	case len(s.history.Open) > 0:
		evidence, inner, err := l.outer(ctx, s)
		if err != nil || inner < most {
			return err
		}
		return &StopError{Reason: MaxCycles, Text: fmt.Sprintf("%d inner cycles, and an acceptance test is red; take the next step yourself, or raise max_attempts_per_agent%s", inner, evidence)}
	case id == 0:
		return nil
	}
	cycles, err := l.opts.Checker.Cycles(ctx, s.head.Commit)
	if err != nil || cycles[id] < most {
		return err
	}
	return &StopError{Reason: MaxCycles, Text: fmt.Sprintf(
		"criterion %d has had %d cycles, and the %s wants another; split it in %s, take its next step yourself, or raise max_attempts_per_agent",
		id, cycles[id], s.role, s.project.Settings.Kata)}
}

// outer is what an open acceptance test says, and the inner cycles since, whatever criterion they name.
func (l *Loop) outer(ctx context.Context, s *step) (evidence string, inner int, err error) {
	open := s.history.Open[len(s.history.Open)-1]
	test, _ := s.before.Lookup(open.ID)
	says, _, _ := strings.Cut(strings.TrimSpace(test.Message), "\n")
	var text strings.Builder
	say := func(what, line string) { fmt.Fprintf(&text, "\n  %-10s %s", what, line) }
	say("test", open.String())
	say("fails", strings.TrimSpace(fmt.Sprintf("(%s) %s", test.Class, says)))
	say("since", fmt.Sprintf("step %d: git show %s", open.Step, gitx.ID(open.Commit).Short()))
	err = l.opts.Repo.Walk(ctx, string(s.head.Commit), func(c gitx.Commit) bool {
		m := commitmsg.Parse(c.Message)
		step, ok := gates.ParseStep(m)
		if ok && step.Number > open.Step && step.Answers() {
			inner++
			say("cycle", fmt.Sprintf("%d: step %d, %s", step.Cycle, step.Number, m.Subject))
		}
		return string(c.ID) != open.Commit && step.Number != 1
	})
	say("then", "take the next step yourself; or, if the test is wrong: git tdd step --dispute \"why\"")
	return text.String(), inner, err
}

// disputable finds the disputed test: the open red or, on green, the last acceptance test opened.
func (l *Loop) disputable(ctx context.Context, t *turn) (gates.Dispute, error) {
	if t.history.Step.Phase != gates.PhaseRed {
		now, err := l.opts.Checker.Of(ctx, t.project, t.head.Tree)
		if err != nil {
			return gates.Dispute{}, err
		}
		open, err := l.opts.Checker.Open(ctx, t.head.Commit, now.Facts, nil)
		if err != nil {
			return gates.Dispute{}, err
		}
		if len(open) == 0 {
			return gates.Dispute{}, fmt.Errorf("%w: no step left a red test, and no acceptance test is open, so there is nothing to dispute", ErrNotReady)
		}
		t.dispute.open = open[len(open)-1]
	}
	_, d, err := l.without(ctx, *t)
	return d, err
}

// maxFruitless is how many cycles in a row may bring nothing.
const maxFruitless = 2

// fruitless objects to another test that passes at once after cycles that brought nothing.
func (l *Loop) fruitless(ctx context.Context, s *step) ([]gates.Finding, error) {
	if len(s.brief.Criteria) == 0 {
		return nil, nil // nothing says what such tests are for
	}
	last, since, err := l.unanswered(ctx, s)
	if err != nil || len(last) < maxFruitless {
		return nil, err
	}
	moved, err := l.moved(ctx, s, since)
	if err != nil || moved {
		return nil, err
	}
	return []gates.Finding{{
		Gate: "red", Seen: fmt.Sprintf("%d cycles in a row brought nothing: no red test passes by steps %d and %d, and no criterion moved", maxFruitless, last[1].Number, last[0].Number),
		Remedy: "no other test that passes at once now: write one that fails, or say that nothing is left",
	}}, nil
}

// unanswered lists the last cycles, newest first, while none has a green, and the commit before them.
func (l *Loop) unanswered(ctx context.Context, s *step) (last []gates.Step, since gitx.ID, err error) {
	err = l.opts.Repo.Walk(ctx, string(s.head.Commit), func(c gitx.Commit) bool {
		step, ok := gates.ParseStep(commitmsg.Parse(c.Message))
		if !ok || step.Phase == gates.PhaseRefactor {
			return true
		}
		if step.Outcome != gates.Characterization || len(c.Parents) == 0 {
			return false
		}
		last, since = append(last, step), c.Parents[0]
		return len(last) < maxFruitless
	})
	return last, since, err
}

// moved reports whether a criterion is further than at a commit, or an acceptance test fails otherwise.
func (l *Loop) moved(ctx context.Context, s *step, since gitx.ID) (bool, error) {
	commit, err := l.opts.Repo.Commit(ctx, string(since))
	if err != nil {
		return false, err
	}
	then, err := l.opts.Checker.Of(ctx, s.project, commit.Tree)
	if err != nil {
		return false, err
	}
	at := s.position
	at.head.Commit = since
	was, err := l.criteria(ctx, at, then.Facts)
	if err != nil {
		return false, err
	}
	for i, c := range s.brief.Criteria {
		if was[i].Whole != c.Whole || was[i].Covered != c.Covered {
			return true, nil
		}
	}
	return slices.ContainsFunc(s.history.Open, func(o gates.OpenTest) bool {
		now, _ := s.before.Lookup(o.ID)
		return !failsAlike(then.Facts, now)
	}), nil
}
