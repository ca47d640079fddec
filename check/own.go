package check

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/evidence"
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
	case j.own.Unmeasurable != nil:
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

// noCode is what no language takes for a program.
const noCode = ")))(((\n<?php )))(((\n"

// Hears finds out whether the test commands that succeed fail where no source holds any
// code: deaf are the sources of those that do not, which show nothing of them, heard those
// of the others. Without sources a command is neither.
func (c *Checker) Hears(ctx context.Context, p *Project, tree gitx.ID) (deaf, heard []string, err error) {
	_, err = c.whole(ctx, p, tree, func(part *part, seen gitx.ID) (testrun.Result, error) {
		r, err := c.partOf(ctx, part, seen)
		if err != nil || r.Facts.Outcome != gates.Passed {
			return r, err
		}
		sources := part.sources(p.Entries)
		if len(sources) == 0 {
			return r, nil
		}
		wrong := map[string]string{}
		for _, file := range sources {
			wrong[file] = noCode
		}
		got, err := part.measurer.Answer(ctx, seen, altered(r.Facts, evidence.Question{Files: wrong}))
		if got.Outcome == gates.Passed {
			deaf = append(deaf, sources...)
		} else {
			heard = append(heard, sources...)
		}
		return r, err
	})
	return deaf, heard, err
}

// deafened lists the sources that the tests no longer hear of, because the commit brings
// commands whose exit code shows nothing, in the place of such that were heard.
func (c *Checker) deafened(ctx context.Context, p Proposal, j *Judgement, own gates.Facts) ([]string, error) {
	byExitCode := func(f gates.Facts) bool { return f.Detail == gates.DetailExitCode && f.Outcome == gates.Passed }
	if !byExitCode(j.Case.Before) || !byExitCode(own) {
		return nil, nil
	}
	deaf, _, err := c.Hears(ctx, j.own, p.Tree)
	if err != nil || len(deaf) == 0 {
		return nil, err
	}
	_, heard, err := c.Hears(ctx, j.Project, gitx.ID(j.Case.Before.Tree))
	if err != nil || len(heard) == 0 {
		return nil, err
	}
	return deaf, nil
}

// sources lists the sources of a project, but for what its test command names: that a
// script which is no script fails shows nothing.
func (p *part) sources(entries []gitx.Entry) []string {
	var out []string
	for _, e := range entries {
		within, ok := p.Within(e.Path)
		named := slices.ContainsFunc(p.Commands.Test, func(word string) bool { return path.Clean(word) == within })
		if ok && strings.HasPrefix(e.Mode, "100") && !named && !p.Language.Foreign(within) && p.Language.Kind(within) == gates.KindSource {
			out = append(out, e.Path)
		}
	}
	return out
}
