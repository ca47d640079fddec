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

// Deaf lists the sources of the projects in a tree whose test command, known by its exit
// code alone, succeeds even where none of them holds any code: that it succeeds shows
// nothing. A command that nothing could make fail, because there are no sources, is no
// such one.
func (c *Checker) Deaf(ctx context.Context, p *Project, tree gitx.ID) ([]string, error) {
	var out []string
	_, err := c.whole(ctx, p, tree, func(part *part, seen gitx.ID) (testrun.Result, error) {
		r, err := c.partOf(ctx, part, seen)
		if err != nil || seen == "" || r.Facts.Detail != gates.DetailExitCode || r.Facts.Outcome != gates.Passed {
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
		got, err := part.measurer.Answer(ctx, seen, c.altered(r.Facts, evidence.Question{Files: wrong, Patient: true}))
		if got.Outcome == gates.Passed {
			out = append(out, sources...)
		}
		return r, err
	})
	return out, err
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
