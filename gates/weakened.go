package gates

import "fmt"

// balance counts what a change does to the assertions of tests, as a multiset:
// below zero for one that went or reads otherwise, above for one that came.
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

// weakened holds what the tests expect against what they expected, where a
// commit outside the loop changes them while all is green. Fewer assertions are
// refused, and a test that no longer fails where it was red. Where one only
// reads otherwise and nothing shows what it is worth, that is said. A merge may
// bring what one of its sides has; there each was judged by itself.
func weakened(c *Case) []Finding {
	if c.FixupOf != "" || c.OnRed() {
		return nil
	}
	if out := vacuous(c); out != nil {
		return out
	}
	counts, where := c.Change.balance()
	for _, other := range c.Merged {
		theirs, _ := other.balance()
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
