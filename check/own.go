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
	return slices.ContainsFunc(change.Files, func(f gates.FileChange) bool {
		return slices.ContainsFunc([]*gates.File{f.Old, f.New}, func(side *gates.File) bool {
			return side != nil && (side.Path == config.FileName || side.Path == config.AltFileName)
		})
	})
}

// brings reads what a commit says about the project if it changes how that is
// tested; nil if it does not. A configuration that cannot be read is an error:
// no later commit could be judged.
func (c *Checker) brings(ctx context.Context, tree gitx.ID, j *Judgement) (*Project, error) {
	if !configures(j.Case.Change) {
		return nil, nil //nolint:nilnil // tested as before
	}
	own, err := c.project(ctx, tree)
	if err != nil {
		return nil, fmt.Errorf("the commit's own configuration: %w", err)
	}
	if own.commands == j.Project.commands {
		return nil, nil //nolint:nilnil // tested as before
	}
	return own, nil
}

// measureOwn measures the new tree under its own commands as well: from the
// next commit on they are the only ones, and nobody would notice what they no
// longer show.
func (c *Checker) measureOwn(ctx context.Context, p Proposal, j *Judgement) error {
	switch {
	case j.own == nil:
		return nil
	case j.own.Unmeasurable() != nil:
		j.Case.Own = &gates.Facts{Tree: string(p.Tree), Outcome: gates.Empty, Detail: gates.DetailTest}
		return nil //nolint:nilerr // it measures nothing, so it shows no less
	}
	result, err := c.Of(ctx, j.own, p.Tree)
	own := renamed(result.Facts, j.own.Parts(), j.Case.After)
	j.Case.Own = &own
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
