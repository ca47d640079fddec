package gates

import "fmt"

// balance counts what a change does to the assertions of tests, as a multiset:
// below zero for one that was removed or changed, above zero for one that was
// added.
func (c Change) balance() (counts map[string]int, where map[string]string) {
	counts, where = map[string]int{}, map[string]string{}
	count := func(f *File, by int) {
		if f == nil {
			return
		}
		for _, a := range f.Assertions {
			counts[a] += by
			where[a] = f.Path
		}
	}
	for _, f := range c.Files {
		count(f.Old, -1)
		count(f.New, +1)
	}
	return counts, where
}

// weakened compares what the tests expect with what they expected, if a commit
// outside the loop changes them while everything is green. It refuses fewer
// assertions, and a test that no longer fails where it was red. If an assertion
// was only changed and nothing shows what the new one is worth, a note says so.
// A merge may bring what one of its sides has, because each was judged by
// itself.
func weakened(c *Case) []Finding {
	if c.FixupOf != "" || c.Restores != "" || c.OnRed() || c.Retires() || len(c.Withdrawn) > 0 {
		return nil
	}
	if out := vacuous(c); out != nil || c.tidied() {
		return out
	}
	counts, where := c.Change.balance()
	for _, other := range c.Merged {
		theirs, _ := other.Change.balance()
		for a, n := range counts {
			counts[a] = max(n, theirs[a])
		}
	}
	total, lost := 0, ""
	for _, a := range sortedKeys(counts) {
		total += counts[a]
		if lost == "" && counts[a] < 0 {
			lost = a
		}
	}
	switch {
	case total < 0:
		return []Finding{{
			Path:   where[lost],
			Seen:   fmt.Sprintf("the tests assert less than before: %q is gone", firstLine(lost)),
			Remedy: "put it back; what is expected changes in a step (test:), by a test that fails",
		}}
	case lost != "" && c.Reversed == nil:
		return []Finding{{
			Path: where[lost], Note: true,
			Seen:   fmt.Sprintf("the assertion %q reads otherwise now, and no red of this history shows whether it still checks as much", firstLine(lost)),
			Remedy: "read it; what is expected changes in a step (test:), by a test that fails",
		}}
	}
	return nil
}
