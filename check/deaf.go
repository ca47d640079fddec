package check

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

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
