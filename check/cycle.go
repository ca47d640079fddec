package check

import (
	"context"

	"github.com/git-tdd/git-tdd/gates"
)

// judgeCycle judges a commit that brings tests and code together: the whole, and the
// red and the green that are derived from it. What the tests are worth is asked of the
// parts.
func (c *Checker) judgeCycle(ctx context.Context, p Proposal, j *Judgement) error {
	p.Plain = true
	if err := c.measure(ctx, p, j); err != nil {
		return err
	}
	parts, err := c.partsOf(ctx, p, j)
	if err != nil {
		return err
	}
	j.compose(p, j.Case.Red)
	j.Verdict = gates.Judge(j.Case)
	for _, part := range parts {
		j.Verdict.Add(part.Verdict.Enforced(j.Case))
	}
	return nil
}

// partsOf judges the red of a commit and, if that is one, its green.
func (c *Checker) partsOf(ctx context.Context, p Proposal, j *Judgement) ([]Judgement, error) {
	if !j.Case.After.Complete() {
		return nil, nil // the whole says so
	}
	d, err := c.Derive(ctx, Apart{Parent: p.Parent, Tree: p.Tree})
	if err != nil {
		return nil, err
	}
	pos := j.Case.Position
	red, err := c.judgePart(ctx, d, Proposal{Parent: d.Base.ID, Tree: d.Red.Tree, Message: "test: tests\n", Position: &j.Case.Position})
	if j.Case.Red = red.Step.Red; err != nil || !red.Verdict.Accepted() {
		return []Judgement{red}, err
	}
	pos.Commit, pos.Step = string(d.Red.ID), red.Step
	green, err := c.judgePart(ctx, d, Proposal{Parent: d.Red.ID, Tree: d.Green.Tree, Message: "feat: sources\n", Position: &pos})
	return []Judgement{red, green}, err
}
