package check

import (
	"context"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// findTables finds the files of tests of which only tables change that they alone use.
func (e *examination) findTables(ctx context.Context) error {
	e.tables = map[string]bool{}
	for _, f := range e.change.Files {
		if f.Old == nil || f.New == nil || f.Renamed() || !f.TouchesTest() || !f.ChangesHelpers() || !f.OnlyGetsRows() {
			continue
		}
		spares, err := e.spares(ctx, e.j, gates.Change{Files: []gates.FileChange{f}}, e.p.Tree)
		if err != nil {
			return err
		}
		e.tables[f.Path()] = !slices.ContainsFunc(e.j.Case.After.Tests, func(t gates.Test) bool { return t.File != f.Path() && !spares(t.File) })
	}
	return nil
}

// helpsTests reports whether what a change does to what helps tests may concern those of
// any file.
func (e *examination) helpsTests(change gates.Change) bool {
	change.Files = slices.DeleteFunc(slices.Clone(change.Files), func(f gates.FileChange) bool { return e.tables[f.Path()] })
	return change.HelpsTests()
}
