package check

import (
	"context"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// OfBase returns the facts of the tree that a change started from. If the change only
// adds tests, they are those of its red without these: one run less.
func (c *Checker) OfBase(ctx context.Context, p *Project, d Derived) (testrun.Result, error) {
	helps := func(f gates.FileChange) bool { return f.TouchesTest() && f.Old != nil && f.ChangesHelpers() }
	if d.Red.ID != d.Base.ID && d.Change.OnlyAddsTests() && !slices.ContainsFunc(d.Change.Files, helps) {
		for _, part := range p.parts {
			if err := c.supposeBase(ctx, part, d); err != nil {
				return testrun.Result{}, err
			}
		}
	}
	return c.Of(ctx, p, d.Base.Tree)
}

// supposeBase keeps what the red of a change says of its base, unless that is known.
func (c *Checker) supposeBase(ctx context.Context, p *part, d Derived) error {
	seen := func(ctx context.Context, tree gitx.ID) (gitx.ID, error) { return c.seen(ctx, p, tree) }
	base, with, err := ofBoth(ctx, d.Base.Tree, d.Red.Tree, seen)
	if err != nil || base == "" || with == "" || base == with {
		return err
	}
	if _, known := p.measurer.Known(base); known && c.opts.Fresh != Anew {
		return nil
	}
	r, err := c.partOf(ctx, p, with)
	if err != nil {
		return err
	}
	if old, ok := withoutNew(d.Change, r.Facts); ok {
		old.Tree, r.Facts = string(base), old
		c.opts.Shared.facts.put(sharedKey{p.key, base}, r)
	}
	return nil
}

// withoutNew is the facts of a tree without the tests that a change added to it. They are
// not ok unless each of its tests is plainly a new one, or an old one that does not fail.
func withoutNew(change gates.Change, red gates.Facts) (gates.Facts, bool) {
	if red.Detail != gates.DetailTest || !red.Complete() || len(red.Diagnostics) > 0 || red.Check != "" && red.Check != gates.Passed {
		return red, false
	}
	old := red
	old.Outcome, old.Tests = gates.Passed, nil
	for _, t := range red.Tests {
		fresh, known := comesWith(change, t)
		switch {
		case !known, !fresh && t.Status == gates.StatusFailed:
			return red, false
		case !fresh:
			old.Tests = append(old.Tests, t)
		}
	}
	return old, len(old.Tests) > 0
}

// comesWith reports whether a change adds a test; not known if no file declares it.
func comesWith(change gates.Change, t gates.Test) (fresh, known bool) {
	f, changed := gates.Find(change.Files, func(f gates.FileChange) bool { return f.New != nil && f.New.Path == t.File })
	if !changed {
		return false, t.File != ""
	}
	return f.Old.Declares(t.ID) == "", f.New.Declares(t.ID) != ""
}
