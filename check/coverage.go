package check

import (
	"context"
	"slices"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// coverage measures line coverage before and after a refactoring, if the policy
// asks for it and the tests alone do not refuse it already.
func (c *Checker) coverage(ctx context.Context, _ Proposal, j *Judgement) error {
	k := j.Case
	switch {
	case !k.Preserves() || k.Policy.Coverage != gates.On || k.Special == gates.Skipped,
		len(k.Change.Files) == 0 || k.Before.Tree == "" || !k.Before.Complete() || !k.After.Complete(),
		gates.TallyOf(k.After).Failed > gates.TallyOf(k.Before).Failed:
		return nil
	}
	for _, side := range []*gates.Facts{&k.Before, &k.After} {
		result, err := c.cover(ctx, j.Project, gitx.ID(side.Tree))
		if err != nil {
			return err
		}
		side.Coverage = result.Facts.Coverage
	}
	return nil
}

// cover returns the facts of a tree including coverage.
func (c *Checker) cover(ctx context.Context, p *Project, tree gitx.ID) (testrun.Result, error) {
	return c.whole(ctx, p, tree, func(part *part, seen gitx.ID) (testrun.Result, error) {
		return c.opts.Shared.facts.of(sharedKey{part.key + " with coverage", seen}, c.keeps, func() (testrun.Result, error) {
			return part.measurer.Cover(ctx, seen)
		})
	})
}

// Coverage is how much of the sources of a tree its tests execute.
func (c *Checker) Coverage(ctx context.Context, p *Project, tree gitx.ID) (gates.Coverage, error) {
	r, err := c.cover(ctx, p, tree)
	if err != nil || r.Facts.Coverage == nil {
		return gates.Coverage{Unknown: "it was not measured"}, err
	}
	return *r.Facts.Coverage, nil
}

// CoveredBy is the coverage of some tests of a tree, run by themselves; empty where the
// runner cannot do that, or their coverage cannot be measured.
func (p *Project) CoveredBy(ctx context.Context, tree gitx.ID, tests []gates.Test) (out []gates.FileCoverage, err error) {
	_, err = p.checker.whole(ctx, p, tree, func(part *part, seen gitx.ID) (r testrun.Result, err error) {
		l, own := part.Language, part.asked(evidence.Question{Tests: tests}).Tests
		if l.Cover == nil || len(own) == 0 {
			return r, nil
		}
		if argv := l.Narrowed(part.Commands.Test, part.Local(own)); argv != nil {
			var found gates.Coverage
			found, err = part.measurer.Covered(ctx, seen, argv)
			out = append(out, found.Files...)
		}
		return r, err
	})
	return out, err
}

// notRun drops the small errors in files of which the tests run nothing, as an example, where they
// run what else changed: that they notice none of those says nothing against them.
func (t *trials) notRun(ctx context.Context) error {
	if t.noticed || len(t.found.Trials) == 0 {
		return nil
	}
	covered, err := t.j.Project.CoveredBy(ctx, t.p.Tree, t.waited)
	runs := func(path string) bool {
		return slices.ContainsFunc(covered, func(f gates.FileCoverage) bool { return f.Path == path && f.Reached > 0 })
	}
	if slices.ContainsFunc(t.j.Case.Change.Files, func(f gates.FileChange) bool { return runs(f.Path()) }) {
		t.found.Trials = slices.DeleteFunc(t.found.Trials, func(trial gates.Trial) bool {
			return !slices.ContainsFunc(trial.Mutants, func(m gates.Mutant) bool { return runs(m.Path) })
		})
	}
	return err
}
