package check

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// configures reports whether a change touches the project's configuration.
func configures(change gates.Change) bool {
	return slices.ContainsFunc(change.Sides(), func(side *gates.File) bool { return side.Path == config.FileName || side.Path == config.AltFileName })
}

// brings reads what a commit says about the project if it changes how that is
// tested; nil if it does not. A configuration that cannot be read is an error:
// no later commit could be judged.
func (c *Checker) brings(ctx context.Context, p Proposal, j *Judgement) (*Project, error) {
	if !configures(j.Case.Change) {
		return nil, nil //nolint:nilnil // tested as before
	}
	own, err := c.project(ctx, p.Tree)
	if err != nil {
		return nil, fmt.Errorf("the commit's own configuration: %w", err)
	}
	if mends := own == j.Project && p.Parent != ""; own.commands == j.Project.commands && !mends {
		return nil, nil //nolint:nilnil // tested as before
	}
	return own, nil
}

// start measures what a commit starts from. One that changes how the project is tested is
// judged by what it says itself, where the tests of its parent never end otherwise: nothing
// else could mend that. The policy is still the parent's.
func (c *Checker) start(ctx context.Context, j *Judgement, before gitx.ID) error {
	r, err := c.Of(ctx, j.Project, before)
	if j.own != nil && j.own != j.Project && len(j.own.parts) > 0 && !r.Facts.Finished() && before != "" && err == nil {
		mended := *j.own
		mended.Declared, mended.Kata, mended.Entries = j.Project.Declared, j.Project.Kata, j.Project.Entries
		j.Project, j.own = &mended, &mended
		r, err = c.Of(ctx, j.Project, before)
	}
	j.Case.Before = r.Facts
	return err
}

// byOwn measures the new tree under its own commands as well: from the next commit on
// they are the only ones, and nobody would notice what they no longer show.
func (c *Checker) byOwn(ctx context.Context, p Proposal, j *Judgement) error {
	switch {
	case j.own == nil:
		return nil
	case j.own.unmeasurable != nil:
		j.Case.Own = &gates.Facts{Tree: string(p.Tree), Outcome: gates.Empty, Detail: gates.DetailTest}
		return nil //nolint:nilerr // it measures nothing, so it shows no less
	}
	result, err := c.Of(ctx, j.own, p.Tree)
	if err != nil {
		return err
	}
	shown := renamed(result.Facts, j.own.Parts(), j.Case.After)
	j.Case.Own = &shown
	j.Case.Deafened, err = c.deafened(ctx, p, j, shown)
	return err
}

// renamed gives tests that another division into projects names otherwise the ids
// that they had: each that is new takes the place of one that is gone and that its
// own runner calls the same.
func renamed(own gates.Facts, parts testrun.Projects, was gates.Facts) gates.Facts {
	anew := map[string][]int{} // by the id that the runner gives it
	for i, t := range own.Tests {
		if _, known := was.Lookup(t.ID); !known {
			id := parts.LocalID(t.ID)
			anew[id] = append(anew[id], i)
		}
	}
	own.Tests = slices.Clone(own.Tests)
	for _, t := range was.Tests {
		at := anew[t.ID]
		if _, there := own.Lookup(t.ID); !there && len(at) > 0 {
			anew[t.ID] = at[1:]
			own.Tests[at[0]].ID = t.ID
		}
	}
	return own
}
