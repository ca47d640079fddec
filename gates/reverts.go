package gates

import (
	"fmt"
	"slices"
)

// Reverts is what a commit that says it takes others back does.
type Reverts struct {
	// Unnamed has the subjects of the commits that it takes back and does not name.
	Unnamed []string
	// Of is what the commit that it names did, if it does not bring an earlier tree back.
	Of Change
	// Loosely is set if it names none of them, or the history does not go back far enough
	// to find what it names.
	Loosely bool
}

// overreaches refuses a revert that takes back more than it says, or brings tests and
// sources that nobody took away.
func overreaches(c *Premise) []Finding {
	if c.Reverts == nil {
		return nil
	}
	f := Finding{Note: c.Reverts.Loosely}
	if n := len(c.Reverts.Unnamed); n > 0 {
		f.Seen = fmt.Sprintf("the revert takes back more than it names (commits: %d), as %q", n, c.Reverts.Unnamed[0])
		f.Remedy = "name in its message each commit that it takes back, or revert them one by one"
		return []Finding{f}
	}
	if c.Restores != "" || !slices.ContainsFunc(c.Change.Files, func(f FileChange) bool { return f.touchesSource() && f.Source.Added > 0 }) {
		return nil
	}
	var back []string // what the commit that is taken back took away
	for _, f := range c.Reverts.Of.Files {
		back = append(back, without(sideOf(f.Old).Declared, sideOf(f.New).Declared)...)
	}
	anew := without(DeclaredAnew(c.Change), back)
	if len(anew) == 0 {
		return nil
	}
	f.Test, f.Seen = anew[0], "the revert brings sources and this test, which the commit that it names did not take away"
	f.Remedy = "name the commit that took them away, or take the steps: test:, then feat: or fix:"
	return []Finding{f}
}
