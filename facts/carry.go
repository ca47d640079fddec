package facts

import (
	"context"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// Carried says what of an entry was measured, where not all of it was.
type Carried struct {
	Files []string `json:"files"` // those whose tests were run
	Took  int64    `json:"took"`  // ms that all of them take, so that altered runs get their time
}

// Carry runs the tests of a tree that a change since another one can have an effect on,
// and takes the results of the others from there. That is no fact of the tree: a measurer
// uses it if it is told to, and only until the tree is measured. The other tree is measured
// if nothing is on record. Nothing happens if there is a record of the tree itself, or if
// the tests cannot be told apart. It returns how many tests were run, and how many not.
func (m *Measurer) Carry(ctx context.Context, from, tree gitx.ID, impact testrun.Impact) (run, left int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, known, err := m.record(ctx, tree)
	if err != nil || known {
		return 0, 0, err
	}
	base, err := m.entry(ctx, from)
	if err != nil || base.Measured.IsZero() || !separable(base.Result.Facts, impact) {
		return 0, 0, err
	}
	rest := slices.DeleteFunc(slices.Clone(base.Result.Facts.Tests), func(t gates.Test) bool { return !impact.Spares(t.File) })
	e.Carried = &Carried{Files: impact.Tests, Took: base.Result.Facts.SuiteMS()}
	e.Result.Facts.Tests = rest
	if m.carrying(&e) == nil && len(impact.Tests) > 0 {
		return 0, 0, nil
	}
	if err := m.measure(ctx, tree, &e); err != nil || e.Measured.IsZero() {
		return 0, 0, err
	}
	return len(e.Result.Facts.Tests) - len(rest), len(rest), nil
}

// separable reports whether it is known of each test, and of each reason why there are
// none, whether a change has an effect on it.
func separable(f gates.Facts, impact testrun.Impact) bool {
	known := func(t gates.Test) bool {
		return impact.Spares(t.File) || slices.Contains(impact.Tests, t.File) || slices.Contains(impact.Gone, t.File)
	}
	return f.Detail == gates.DetailTest &&
		!slices.ContainsFunc(f.Tests, func(t gates.Test) bool { return !known(t) }) &&
		!slices.ContainsFunc(f.Diagnostics, func(d gates.Diagnostic) bool { return !impact.Files[d.File] })
}

// with puts the tests that were run beside those that are carried over.
func (c *Carried) with(all []gates.Test, tree gitx.ID, run gates.Facts) gates.Facts {
	rest := gates.Facts{Outcome: gates.Empty, Detail: gates.DetailTest}
	for _, t := range all {
		switch {
		case slices.Contains(c.Files, t.File):
			continue
		case t.Status == gates.StatusFailed:
			rest.Outcome = gates.Failed
		case t.Status == gates.StatusPassed && rest.Outcome == gates.Empty:
			rest.Outcome = gates.Passed
		}
		rest.Tests = append(rest.Tests, t)
	}
	if run.Outcome == gates.Empty && rest.Outcome != gates.Empty {
		run.Diagnostics = nil // that nothing ran is no complaint
	}
	out := gates.Join(string(tree), []gates.Facts{rest, run})
	out.TestMS = max(out.TestMS, c.Took)
	return out
}

// carrying is the command for what is not carried over.
func (m *Measurer) carrying(e *Entry) []string {
	tests := gates.Each(e.Carried.Files, func(file string) gates.Test { return gates.Test{File: file} })
	if len(tests) == 0 {
		return nil
	}
	return m.opts.Language.Narrowed(m.opts.Commands.Test, m.opts.Folder.Local(tests))
}
