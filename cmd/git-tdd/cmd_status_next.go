package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/clean"
)

// recorded adds the facts on record, and what follows from them. It returns those that say
// which criteria are met: of a red that keeps tests from running, those before it.
func (s *status) recorded(ctx context.Context) (*gates.Facts, error) {
	entry, ok := s.project.Known(ctx, s.head.Tree)
	if !ok {
		return nil, nil
	}
	s.facts, s.measured, s.Tests = &entry.Result.Facts, entry.Measured, gates.TestsText(entry.Result.Facts)
	const named = 3 // failing tests
	failed := s.facts.With(gates.StatusFailed)
	s.Failing = gates.Each(failed[:min(len(failed), named)], func(t gates.Test) string { return t.ID })
	base, err := s.checker.Base(ctx, s.project, s.position)
	if errors.Is(err, check.ErrNotRecorded) {
		base, err = nil, nil
	}
	if err == nil && s.position.Started() {
		s.position.Open, err = s.checker.Open(ctx, s.head.Commit, *s.facts, base)
	}
	if err != nil {
		return nil, err
	}
	if base != nil || s.position.Step.Phase != gates.PhaseRed {
		s.Contradiction = gates.Contradiction(s.position, *s.facts, base)
	}
	if s.facts.Complete() {
		base = s.facts
	}
	return base, nil
}

// showCriteria prints how far the acceptance criteria are, and what is open.
func (p *program) showCriteria(s status) {
	for _, o := range s.position.Open {
		p.under("open", fmt.Sprintf("%s, an acceptance test, red since step %d", o, o.Step))
	}
	if len(s.criteria) == 0 {
		return
	}
	all := gates.Each(s.criteria, func(c check.Criterion) check.State { return c.State })
	p.under("kata", strings.Join(gates.Counts(all, []check.State{check.Pending, check.Failing, check.Passing, ""}, func(state check.State) string {
		return string(cmp.Or(state, "not measured here"))
	}), ", "))
	for _, c := range s.criteria {
		front := fmt.Sprintf("%2d %s %s  ", c.ID, pad(string(c.State), len(check.Pending)+1), pad(gates.Count(c.Cycles, "cycle"), len("99 cycles")))
		text := clean.Text(c.Text)
		if width := p.out.width(); width > 0 {
			text = cut(text, max(1, width-7-len(front)))
		}
		p.out.printf("%s%s%s\n", pad("", 7), front, text)
	}
}

// action is the next thing that the rules allow, for whoever does it.
type action struct {
	Role     gates.Role                 `json:"role"`
	Phase    gates.Phase                `json:"phase"`
	Types    []string                   `json:"types"`          // of the commit: feat or fix
	Expected string                     `json:"expected"`       // in words
	Or       string                     `json:"or,omitempty"`   // another commit that may come next
	Commit   []string                   `json:"commit"`         // the command that makes the step; the dots are to be replaced
	May      map[gates.Kind]gates.Reach `json:"may,omitempty"`  // how much of each kind of file the role may change
	Only     []string                   `json:"only,omitempty"` // the paths of a role that has its own
}

// nextAction is the next action at a position.
func nextAction(project *check.Project, pos gates.Position, next gates.Step) *action {
	plays, policy, rules := project.Settings.Plays(next.Role), project.Settings.Gates, project.Settings.Rules(next.Role)
	a := &action{
		Role: next.Role, Phase: next.Phase, Types: project.Settings.TypesOf(next.Role), Expected: project.Settings.Expected(pos, next.Role),
		May: map[gates.Kind]gates.Reach{}, Only: rules.Paths,
	}
	if policy.Pace == gates.PaceCycles && pos.Step.Phase != gates.PhaseRed {
		a.Or = "feat: … or fix: … that brings its failing test with it (gates.pace: cycles)"
	}
	for _, r := range project.Language.Rules {
		switch {
		case r.Kind == gates.KindOther:
		case plays != gates.Keeper:
			a.May[r.Kind] = policy.Reach(plays, r.Kind, project.Language.Inline())
		case rules.Kind(r.Kind) == gates.ReachNone:
			a.May[r.Kind] = gates.ReachNone
		}
	}
	a.Commit = []string{"git", "commit", "-m", a.Types[0] + ": …"}
	if plays != next.Role {
		a.Commit = append(a.Commit, "--trailer", gates.KeyRole+": "+string(next.Role))
	}
	return a
}

// showAction says what to commit next.
func (p *program) showAction(a *action) {
	if a == nil {
		return
	}
	then := ""
	if a.Role == gates.Tester {
		then = ", then feat: … that makes it pass"
	}
	p.under("commit", a.Expected+then)
	if a.Or != "" {
		p.under("", "or "+a.Or)
	}
}
