package check

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// compareWithBase is compare for a green whose red did not compile: what that red
// did to other tests shows only now.
func (e *examination) compareWithBase(ctx context.Context) error {
	k := e.j.Case
	if k.Before.Complete() || k.Base == nil || k.Base.Tree == "" {
		return nil
	}
	change, err := e.Change(ctx, e.j.Project.Language, gitx.ID(k.Base.Tree), e.p.Tree)
	if err != nil {
		return err
	}
	return e.compare(ctx, change, gitx.ID(k.Base.Tree))
}

// compare holds the tests of a tree of before and those of now against the same
// mutants of the sources, if the text of the tests leaves open whether they still
// check as much.
func (e *examination) compare(ctx context.Context, change gates.Change, before gitx.ID) error {
	k := e.j.Case
	if !e.j.Project.Language.Mutable() || !k.InDoubt(change, e.found) {
		return nil
	}
	entries, err := e.opts.Repo.Entries(ctx, before)
	if err != nil {
		return err
	}
	edits, err := e.restoreTests(ctx, e.p.Tree, change, entries)
	if err != nil || len(edits) == 0 {
		return err
	}
	old, err := e.opts.Repo.WriteTree(ctx, e.p.Tree, edits)
	if err != nil {
		return fmt.Errorf("put the old tests under the new sources: %w", err)
	}
	crossed, err := e.Of(ctx, e.j.Project, old)
	if err != nil || !crossed.Facts.Complete() {
		return err
	}
	sources, err := e.sources(ctx, change)
	if err != nil {
		return err
	}
	was := e.suite(old, change, crossed.Facts)
	now := e.suite(e.p.Tree, change, k.After)
	follow := k.Followed()
	// A test that fails now has become a red: it notices whatever there is. One that a
	// side of a merge gave up was judged there.
	was.Tests = slices.DeleteFunc(was.Tests, func(t gates.Test) bool {
		successor, _ := k.After.Lookup(follow[t.ID])
		return successor.Status == gates.StatusFailed || k.GivenUpBySide(t.ID)
	})
	e.found.Weaker, err = evidence.Compare(ctx, sources, was, now, follow)
	e.found.Compared = err == nil && len(sources) > 0
	return err
}

// suite is the passing tests of the files that changed; all, if what changed helps
// others.
func (e *examination) suite(tree gitx.ID, change gates.Change, f gates.Facts) evidence.Suite {
	var files []string
	for _, changed := range change.Files {
		for _, side := range []*gates.File{changed.Old, changed.New} {
			if side != nil && len(side.Declared) > 0 {
				files = append(files, side.Path)
			}
		}
	}
	tests := f.With(gates.StatusPassed)
	if len(files) > 0 && !change.HelpsTests() {
		tests = slices.DeleteFunc(tests, func(t gates.Test) bool { return t.File != "" && !slices.Contains(files, t.File) })
	}
	return evidence.Suite{Tests: tests, Run: e.runner(e.j.Project, tree)}
}

// sources are the sources of the commit's tree that its changed tests have to do
// with, the nearest first, with all of their mutants.
func (e *examination) sources(ctx context.Context, change gates.Change) ([]evidence.Source, error) {
	entries, err := e.opts.Repo.Entries(ctx, e.p.Tree)
	if err != nil {
		return nil, err
	}
	var out []evidence.Source
	for i := range entries {
		entry := &entries[i]
		if e.j.Project.Language.Kind(entry.Path) != gates.KindSource || entry.Mode == gitx.ModeSubmodule || entry.Mode == gitx.ModeSymlink {
			continue
		}
		content, err := e.text(ctx, e.p.Tree, entry.Path)
		if err != nil {
			return nil, err
		}
		if s := e.source(entry.Path, content); len(s.Mutants) > 0 {
			out = append(out, s)
		}
	}
	var tests []evidence.File
	for _, f := range change.Files {
		if f.New != nil && f.New.Test != "" {
			tests = append(tests, evidence.File{Path: f.New.Path, Content: f.New.Test})
		}
	}
	return evidence.Nearest(out, tests), nil
}
