package gates

// merged refuses a merge that loses a test of another parent.
func merged(c *Case) []Finding {
	var out []Finding
	for _, side := range c.Merged {
		theirs := *c
		theirs.Change, theirs.Before, theirs.Base = side.Change, side.Facts, nil
		for _, f := range lost(&theirs, side.Facts) {
			if t, _ := side.Facts.Lookup(f.Test); t.Status != StatusPassed || givenUp(f.Test, side.Fork, c.Before) {
				continue
			}
			f.Seen = "on the branch that is merged, " + f.Seen
			out = append(out, f)
		}
	}
	return out
}

// givenUp reports whether a test of a fork is no longer there in one of its arms:
// that was judged where it was done.
func givenUp(id string, fork, arm Facts) bool {
	_, had := fork.Lookup(id)
	_, has := arm.Lookup(id)
	return had && !has && fork.Complete() && arm.Complete()
}

// GivenUpBySide reports whether a side of a merge gave a test up since it forked.
func (c *Case) GivenUpBySide(id string) bool {
	for _, side := range c.Merged {
		if givenUp(id, side.Fork, side.Facts) {
			return true
		}
	}
	return false
}
