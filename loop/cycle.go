package loop

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// code is what an answer holds beside its tests: the implementor's first attempt.
type code struct {
	on    gitx.ID // the red
	tree  gitx.ID
	edits agents.EditPlan
	model string // whose answer it was
}

// together reports whether a tester is asked for the code too. A person who implements is not forestalled.
func (l *Loop) together(t turn) (bool, error) {
	s := t.project.Settings
	if !l.opts.Together {
		return false, nil
	}
	if s.Isolation == config.IsolationStrict {
		return false, fmt.Errorf("%w: with --pace cycle one model sees requirements and code, which `isolation: strict` keeps apart; leave out --pace, or write isolation: open", ErrNotReady)
	}
	answers := t.answers()
	return t.plays == gates.Tester && t.dispute.why == "" && !s.Roles[answers].ByHuman(), nil
}

// answers is the role that makes the red of this turn pass.
func (t turn) answers() gates.Role {
	return check.Turn(t.project.Settings, gates.Position{Step: gates.Step{Role: t.role, Phase: gates.PhaseRed}})
}

// joined adds the code of the last answer where this one leaves it out: a refused red costs only the red.
func (s *step) joined(plan agents.EditPlan) agents.EditPlan {
	for _, e := range s.code {
		if !slices.ContainsFunc(plan.Edits, func(now agents.Edit) bool { return now.Path == e.Path }) {
			plan.Edits = append(plan.Edits, e)
		}
	}
	return plan
}

func (s *step) sources(plan agents.EditPlan) []agents.Edit {
	return slices.DeleteFunc(slices.Clone(plan.Edits), func(e agents.Edit) bool {
		return s.project.Language.Kind(e.Path) != gates.KindSource
	})
}

// takeApart leaves of a candidate its tests, on the code as it was.
func (l *Loop) takeApart(ctx context.Context, s *step, c candidate) (candidate, error) {
	d, err := l.opts.Checker.Derive(ctx, check.Apart{Parent: s.head.Commit, Tree: c.tree})
	if err != nil {
		return c, err
	}
	if !s.told.Works { // an agent goes on in its files
		s.code = s.sources(c.edits)
	}
	if d.Red.Tree == s.head.Tree {
		return c, c.refuse(gates.Finding{
			Gate: "plan", Seen: "the answer changes code and brings no test that asks for it", Remedy: "add the one test that fails without this code",
		})
	}
	if s.rest = nil; d.Red.Tree != c.tree {
		s.rest = &code{tree: c.tree, edits: c.edits, model: s.model.Name}
		s.rest.edits.Edits, c.edits.Notes = s.sources(c.edits), ""
	}
	c.tree = d.Red.Tree
	return c, nil
}

// waits keeps the code of an answer whose tests have landed for the implementor's turn.
func (l *Loop) waits(s *step, done Accepted) {
	switch {
	case s.rest == nil:
	case done.Step.Phase != gates.PhaseRed:
		l.note("step %d left no red test, so the code of that answer is left out", done.Step.Number)
	default:
		s.rest.on = done.Commit
		l.rest = s.rest
	}
}

// judgeAnswered judges the implementor's first attempt, if it was answered together with the red.
func (l *Loop) judgeAnswered(ctx context.Context, s *step, t try) (verdict, error) {
	r := s.ready
	s.ready = nil
	p := proposal{try: t, edits: r.edits}
	if !s.told.Works { // who did not write it is told what was tried
		s.talk = append(s.talk, agents.Turn{Task: agents.TaskEdit, Attempt: t.number, Answer: agents.Answer(r.edits)})
	}
	problems, err := l.lookAgain(ctx, s, p.edits)
	if err == nil && len(problems) > 0 {
		err = p.refuse(problems...)
	}
	if err != nil {
		return verdict{}, err
	}
	return l.judge(ctx, s, candidate{proposal: p, tree: r.tree, by: r.model})
}
