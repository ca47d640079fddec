package gates

import "slices"

// derivedReds lists what fails without a change that was taken apart: its tests under
// the sources of before. Nobody chose how many there are, and whatever keeps them from
// passing is the lack of the change, because with it they pass: a fixture or a table
// may hold what a test expects, and a signature that it wants may not be there yet.
func derivedReds(c *Case) []Red {
	if c.After.Outcome == Broken {
		return fileReds(c.Change, c.After.Diagnostics)
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
