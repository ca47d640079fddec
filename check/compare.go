package check

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// compare holds the tests of before and those of now against the same mutants of
// the sources, if the text of the tests leaves open whether they still check as
// much.
func (e *examination) compare(ctx context.Context) error {
	k := e.j.Case
	if e.j.Project.Language.Syntax.Mutants == nil || !k.InDoubt(e.found) {
		return nil
	}
	edits, err := e.restoreTests(ctx, e.p.Tree, e.j)
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
	sources, err := e.sources(ctx)
	if err != nil {
		return err
	}
	e.found.Weaker, err = evidence.Compare(ctx, sources,
		e.suite(old, crossed.Facts, func(f gates.FileChange) *gates.File { return f.Old }),
		e.suite(e.p.Tree, k.After, func(f gates.FileChange) *gates.File { return f.New }), k.Followed())
	e.found.Compared = err == nil && len(sources) > 0
	return err
}

// suite is the passing tests of the files that changed.
func (e *examination) suite(tree gitx.ID, f gates.Facts, side func(gates.FileChange) *gates.File) evidence.Suite {
	var files []string
	for _, change := range e.j.Case.Change.Files {
		if file := side(change); file != nil && len(file.Declared) > 0 {
			files = append(files, file.Path)
		}
	}
	tests := f.With(gates.StatusPassed)
	if len(files) > 0 {
		tests = slices.DeleteFunc(tests, func(t gates.Test) bool { return t.File != "" && !slices.Contains(files, t.File) })
	}
	return evidence.Suite{Tests: tests, Run: runner(e.j.Project, tree, f)}
}

// sources are the sources of the commit's tree that its changed tests have to do
// with, the nearest first, with all of their mutants.
func (e *examination) sources(ctx context.Context) ([]evidence.Source, error) {
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
	for _, f := range e.j.Case.Change.Files {
		if f.New != nil && f.New.Test != "" {
			tests = append(tests, evidence.File{Path: f.New.Path, Content: f.New.Test})
		}
	}
	return evidence.Nearest(out, tests), nil
}
