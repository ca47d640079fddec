package check

import (
	"context"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/katas"
)

// State says how far an acceptance criterion is.
type State string

// The states of a criterion.
const (
	Pending State = "pending" // nothing of it is tested, or a part
	Failing State = "failing" // its acceptance test is open, or an inner red of it
	Passing State = "passing" // it is met
)

// Criterion is an acceptance criterion of a kata and how far it is.
type Criterion struct {
	ID    int    `json:"id"`
	Text  string `json:"text"`
	State State  `json:"state,omitempty"` // empty if nothing was measured
	// Cycles is how many it has had.
	Cycles     int      `json:"cycles"`
	Acceptance string   `json:"acceptance,omitempty"` // its acceptance test
	Tests      []string `json:"tests,omitempty"`      // that pass, of the steps that name it
}

// Criteria lists the criteria of a project's kata. now is the facts of a commit, or
// those before the red that keeps its tests from running; nil if nobody knows.
func (c *Checker) Criteria(ctx context.Context, project *Project, commit gitx.ID, now *gates.Facts) ([]Criterion, error) {
	if project.Settings.Kata == "" {
		return nil, nil
	}
	kata, err := c.text(ctx, project.Tree, project.Settings.Kata)
	listed := katas.ParseCriteria([]byte(kata))
	if err != nil || len(listed) == 0 {
		return nil, err
	}
	cycles, err := c.Cycles(ctx, commit)
	if err != nil {
		return nil, err
	}
	covered := map[int]Covered{}
	var red []int
	if now != nil {
		if covered, err = c.Covered(ctx, project, commit, *now); err != nil {
			return nil, err
		}
		pos, err := c.Position(ctx, commit)
		if err != nil {
			return nil, err
		}
		if pos.Step.Phase == gates.PhaseRed {
			red = pos.Step.Criteria
		}
	}
	out := make([]Criterion, 0, len(listed))
	for _, l := range listed {
		by := covered[l.ID]
		one := Criterion{ID: l.ID, Text: l.Text, Cycles: cycles[l.ID], Acceptance: by.Acceptance, Tests: by.Tests}
		switch {
		case now == nil:
		case by.Acceptance != "" && !by.Accepted, slices.Contains(red, l.ID):
			one.State = Failing
		case by.Whole():
			one.State = Passing
		default:
			one.State = Pending
		}
		out = append(out, one)
	}
	return out, nil
}

// accepted adds what the acceptance tests of a history show about its criteria.
func (c *Checker) accepted(ctx context.Context, commit gitx.ID, now gates.Facts, covered map[int]Covered) error {
	pos, err := c.Position(ctx, commit)
	if err != nil || !pos.Started() {
		return err
	}
	claimed, err := c.claimed(ctx, commit)
	if err != nil {
		return err
	}
	for _, t := range claimed {
		found, ok := t.in(now)
		by := covered[t.Criterion]
		if !ok || t.Criterion == 0 || by.Acceptance != "" && !by.Accepted {
			continue // withdrawn, of none, or another one fails
		}
		by.Acceptance, by.Accepted = found.ID, found.Status == gates.StatusPassed
		if by.Accepted {
			by.Tests = gates.Union(by.Tests, []string{found.ID})
		}
		covered[t.Criterion] = by
	}
	return nil
}

// in finds an acceptance test in facts. Once it passed, it may have moved.
func (t claimedTest) in(now gates.Facts) (gates.Test, bool) {
	if found, ok := now.Lookup(t.ID); ok || !t.passed {
		return found, ok
	}
	name := t.ID[strings.LastIndexAny(t.ID, ":./ ")+1:]
	return gates.Find(now.Tests, func(other gates.Test) bool { return named(other.ID, name) })
}

// listed has the criteria of the kata: as it was, and as the commit leaves it.
func (c *Checker) listed(ctx context.Context, p Proposal, j *Judgement) (out []int, err error) {
	now, err := c.text(ctx, p.Tree, j.Project.Settings.Kata)
	for _, text := range []string{j.Project.Kata, now} {
		out = gates.Union(out, gates.Each(katas.ParseCriteria([]byte(text)), func(l katas.Criterion) int { return l.ID }))
	}
	return out, err
}

// serves notes the first acceptance criterion that an agent's characterization names, if the
// kata lists it and passing tests do not cover the whole of it yet.
func (c *Checker) serves(ctx context.Context, p Proposal, j *Judgement) error {
	k := j.Case
	ids, _ := gates.Criteria(k.Message)
	if !k.Agent || k.Special != gates.Characterization || k.Policy.Characterization == gates.Allow || len(ids) == 0 || p.Parent == "" {
		return nil
	}
	covered, err := c.Covered(ctx, j.Project, p.Parent, k.Before)
	for _, listed := range katas.ParseCriteria([]byte(j.Project.Kata)) {
		if k.Serves == 0 && slices.Contains(ids, listed.ID) && !covered[listed.ID].Whole() {
			k.Serves = listed.ID
		}
	}
	return err
}
