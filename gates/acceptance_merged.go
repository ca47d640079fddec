package gates

import "slices"

// mergedOpen requires that a merge leaves the open acceptance tests of each side
// as one of its sides has them.
func mergedOpen(c *Case) []Finding {
	if len(c.Merged) == 0 {
		return nil
	}
	sides := append([]Side{{Change: c.Change, Facts: c.Before, Open: c.open()}}, c.Merged...)
	var out []Finding
	for _, s := range sides {
		for _, o := range s.Open {
			_, there := c.After.Lookup(o.ID)
			gone := !there && c.After.Complete() && !c.givenUpByAny(o.ID)
			if gone || there && !slices.ContainsFunc(sides, func(s Side) bool { return c.asOn(s, o) }) {
				out = append(out, Finding{
					Test: o.ID, Seen: "the merge changes or loses an open acceptance test", Remedy: "leave it as one of its sides has it",
				})
			}
		}
	}
	return out
}

// asOn reports whether a merge leaves an acceptance test as one side has it.
func (c *Case) asOn(s Side, o OpenTest) bool {
	t, has := s.Facts.Lookup(o.ID)
	_, seen := c.bends(s.Change, t, o.Files)
	return has && seen == ""
}

// givenUpByAny reports whether any side of a merge gave a test up since they forked.
func (c *Case) givenUpByAny(id string) bool {
	return c.GivenUpBySide(id) || slices.ContainsFunc(c.Merged, func(s Side) bool { return givenUp(id, s.Fork, c.Before) })
}

// openOnSide reports whether a test is an open acceptance test of what a merge
// brings.
func (c *Case) openOnSide(id string) bool {
	return slices.ContainsFunc(c.Merged, func(s Side) bool {
		_, open := findOpen(s.Open, id)
		return open
	})
}
