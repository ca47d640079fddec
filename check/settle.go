package check

import (
	"context"
	"slices"

	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// Repeat runs a tree again in which some tests failed. Those that pass then are returned,
// too: from now on they passed.
func (c *Checker) Repeat(ctx context.Context, p *Project, tree gitx.ID, ids []string) (r testrun.Result, settled []string, err error) {
	r, err = c.whole(ctx, p, tree, func(part *part, seen gitx.ID) (testrun.Result, error) {
		r, err := c.partOf(ctx, part, seen)
		own := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !part.Holds(id) })
		if err != nil || len(own) == 0 {
			return r, err
		}
		r, passed, err := part.measurer.Settle(ctx, seen, own)
		if len(passed) > 0 && c.keeps(r) {
			c.opts.Shared.facts.put(sharedKey{part.key, seen}, r)
		}
		settled = append(settled, passed...)
		return r, err
	})
	return r, settled, err
}

// Again runs a tree once more, without its record: of several projects those that hold
// one of the tests.
func (c *Checker) Again(ctx context.Context, p *Project, tree gitx.ID, tests []string) (gates.Facts, error) {
	r, err := c.whole(ctx, p, tree, func(part *part, seen gitx.ID) (testrun.Result, error) {
		r, err := c.partOf(ctx, part, seen)
		if err == nil && slices.ContainsFunc(tests, part.Holds) {
			r.Facts, err = part.measurer.Alter(ctx, seen, facts.Altered{})
		}
		return r, err
	})
	return r.Facts, err
}

// untouched are the ids of the old tests that fail now, although the commit neither
// changes them nor anything that they use.
func (c *Checker) untouched(ctx context.Context, p Proposal, j *Judgement) ([]string, error) {
	fail := gates.Surprises(j.Case)
	if len(fail) > 0 && !j.Case.Change.TestsOnly() {
		spares, err := c.spares(ctx, j, j.Case.Change, p.Tree)
		if err != nil {
			return nil, err
		}
		fail = slices.DeleteFunc(fail, func(t gates.Test) bool { return !spares(t.File) })
	}
	return gates.Each(fail, gates.Test.Name), nil
}

// spares finds out which files of tests use nothing of a change. Where that
// cannot be told, none does.
func (c *Checker) spares(ctx context.Context, j *Judgement, change gates.Change, tree gitx.ID) (func(file string) bool, error) {
	none := testrun.Impact{}.Spares
	if len(j.Project.parts) != 1 {
		return none, nil
	}
	impact, known, err := c.impact(ctx, j.Project.parts[0], change, gitx.ID(j.Case.Before.Tree), tree)
	if err != nil || !known {
		return none, err
	}
	return impact.Spares, nil
}

// unsteady runs the tree of before once more if tests of it are missing that should be
// there: the commit is not to blame if their ids change from run to run.
func (c *Checker) unsteady(ctx context.Context, j *Judgement, missing []gates.Test) (changing []string, err error) {
	if len(missing) == 0 || j.Case.Before.Tree == "" {
		return nil, nil
	}
	ids := gates.Each(missing, gates.Test.Name)
	again, err := c.Again(ctx, j.Project, gitx.ID(j.Case.Before.Tree), ids)
	if !again.Complete() {
		return nil, err
	}
	return slices.DeleteFunc(ids, func(id string) bool { return again.StatusOf(id) != "" }), err
}
