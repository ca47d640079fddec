package gates

import (
	"cmp"
	"slices"
)

// derivedReds lists what fails without a change that was taken apart: its tests under
// the sources of before. Nobody chose how many there are, and whatever keeps them from
// passing is the lack of the change, because with it they pass: a fixture or a table
// may hold what a test expects, and a signature that it wants may not be there yet.
func derivedReds(c *Case) []Red {
	if c.After.Outcome == Broken {
		return derivedByFile(c)
	}
	var reds []Red
	was := c.follow(c.Before, c.After).was
	for _, t := range c.After.With(StatusFailed) {
		if was[t.ID].Status != StatusFailed && !byItsParts(c.After, t) {
			reds = append(reds, Red{ID: t.ID, Class: t.Class})
		}
	}
	return reds
}

// derivedByFile names the files of tests that cannot be built without the change.
func derivedByFile(c *Case) []Red {
	var reds []Red
	for _, f := range c.Change.Files {
		at := slices.IndexFunc(c.After.Diagnostics, func(d Diagnostic) bool { return d.File == f.Path() })
		if at >= 0 && f.renewsTest() {
			d := c.After.Diagnostics[at]
			reds = append(reds, Red{ID: f.Path(), Class: d.Class, Symbol: cmp.Or(d.Symbol, "what the change adds")})
		}
	}
	if at := slices.IndexFunc(c.Change.Files, FileChange.renewsTest); len(reds) == 0 && at >= 0 && len(c.After.Diagnostics) > 0 {
		d := c.After.Diagnostics[0]
		reds = []Red{{ID: c.Change.Files[at].New.Path, Class: d.Class, Symbol: cmp.Or(d.Symbol, "what the change adds")}}
	}
	return reds
}

// asksAnew reports whether a test that still notices something fails without the change
// that was taken apart, so that what it expects is new. It may be an expression, of which
// less can be measured than of a value.
func (c *Premise) asksAnew(t Test, now Grade) bool {
	without, ran := c.Before.Lookup(t.ID)
	return c.Derived && now == GradeSense && (!ran || without.Status == StatusFailed)
}

// ownAnswers leaves of the tests that a red waited for those that were not there
// before, if there are any: an old one beside them could not run either.
func (c *Premise) ownAnswers(all []Test) []Test {
	if c.Base == nil {
		return all
	}
	fresh := slices.DeleteFunc(slices.Clone(all), func(t Test) bool {
		was, there := c.Base.Lookup(t.ID)
		now, ran := c.Before.Lookup(t.ID)
		return there && was.Status == StatusPassed && (!ran || now.Status != StatusFailed)
	})
	if len(fresh) == 0 {
		return all
	}
	return fresh
}
