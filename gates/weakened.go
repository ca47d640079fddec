package gates

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// balance counts what a change does to the assertions of tests, as a multiset:
// below zero for one that was removed or changed, above zero for one that was
// added.
func (c Change) balance() (counts map[string]int, where map[string]string) {
	counts, where = map[string]int{}, map[string]string{}
	count := func(f *File, by int) {
		for _, a := range sideOf(f).Assertions {
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

// MoreAssertions is how many assertions more a change leaves in tests; below zero if they
// are fewer.
func (c Change) MoreAssertions() int {
	was, now := c.assertions()
	return len(now) - len(was)
}

// assertions are those of the files of a change before, and now.
func (c Change) assertions() (was, now []string) {
	for _, f := range c.Files {
		was, now = append(was, sideOf(f.Old).Assertions...), append(now, sideOf(f.New).Assertions...)
	}
	return was, now
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
		return []Finding{about(Test{File: where[lost]}, fmt.Sprintf("the tests assert less than before: %q is gone", firstLine(lost)),
			"put it back; what is expected changes in a step (test:), by a test that fails")}
	case lost != "" && c.Reversed == nil:
		seen := fmt.Sprintf("the assertion %q reads otherwise now, and no red of this history shows whether it still checks as much", firstLine(lost))
		return []Finding{note(Test{File: where[lost]}, seen, "read it; what is expected changes in a step (test:), by a test that fails")}
	}
	return nil
}

// doublePattern finds what sets up something that stands in for another in a test.
var doublePattern = lazyregexp.New(`(?i)mock|stub|willReturn|->expects\(|\ballow\(|thenReturn|\.returns?\(`)

// loopPattern finds what goes through the rows of a table.
var loopPattern = lazyregexp.New(`(?i)\b(?:for|foreach|each|map|while|where)\b`)

// KeepsChecks reports whether a test has no assertion less than it had, nor, where it goes
// through rows, a value less, as far as text shows: it asks as much, of something else.
func (c Change) KeepsChecks(id string) bool {
	return slices.ContainsFunc(c.Files, func(f FileChange) bool {
		name := f.Old.Declares(id)
		if name == "" || f.New.Declares(id) != name {
			return false
		}
		was, now := ownText(f.Old, name), ownText(f.New, name)
		count := func(f *File, text string) (n int) {
			for _, a := range slices.Compact(slices.Sorted(slices.Values(f.Assertions))) {
				if !doublePattern.MatchString(a) {
					n += strings.Count(text, a)
				}
			}
			return n
		}
		first, last := ownLines(strings.Split(sideOf(f.New).Test, "\n"), name)
		weaker := slices.ContainsFunc(f.Weaker(), func(w Weaker) bool { return w.Line == 0 || first < w.Line && w.Line <= last })
		return !weaker && count(f.New, now) >= count(f.Old, was) && (!loopPattern.MatchString(was) || len(literals(now)) >= len(literals(was)))
	})
}

// HandsOver reports whether a change takes assertions out of a test that others of its file
// make now, as far as text shows: each calls what it called with the inputs that are written
// out in it. What they expect is theirs to show.
func (c Change) HandsOver(id string) bool {
	return slices.ContainsFunc(c.Files, func(f FileChange) bool {
		name := f.Old.Declares(id)
		if name == "" || f.New == nil {
			return false
		}
		was := ownText(f.Old, name)
		lost := slices.DeleteFunc(without(f.Old.Assertions, f.New.Assertions), func(a string) bool { return !strings.Contains(was, a) })
		return len(lost) > 0 && !slices.ContainsFunc(lost, func(a string) bool { return !f.asksElsewhere(name, a) })
	})
}

// asksElsewhere reports whether a paragraph that comes to a file of tests, outside a test, has
// the inputs of an assertion of that test, and calls what it called: itself, or another one that
// uses a table declared there.
func (c FileChange) asksElsewhere(name, assertion string) bool {
	inputs := without(literals(assertion), c.Old.Expected)
	var call string // the innermost with all of them
	for _, one := range callsIn(assertion) {
		if len(without(inputs, literals(one))) == 0 && (call == "" || len(one) < len(call)) {
			call = one
		}
	}
	if len(inputs) == 0 || call == "" {
		return false
	}
	called, _, _ := strings.Cut(call, "(")
	lines := strings.Split(c.New.Test, "\n")
	first, last := ownLines(lines, name)
	others := strings.Join(slices.Concat(lines[:first], []string{""}, lines[last:]), "\n")
	come := without(strings.Split(others, "\n\n"), strings.Split(c.Old.Test, "\n\n"))
	return slices.ContainsFunc(come, func(p string) bool {
		head, _, _ := strings.Cut(strings.TrimSpace(p), "\n")
		table := declaredIn(head)
		return len(without(inputs, literals(p))) == 0 && slices.ContainsFunc(come, func(by string) bool {
			words := Identifiers(by)
			return slices.Contains(words, called) && (by == p || slices.Contains(words, table))
		})
	})
}

// Reversed is a control for a commit that changed tests while everything was
// green: the tests as they are now, run with the sources from before a green.
type Reversed struct {
	Step  int    // of the red that the sources are from
	Test  string // the id of the test that was red then
	Facts Facts
}

// Touches reports whether a change alters a file that declares the test of an
// id, and whether it alters that test's own text.
func (c Change) Touches(id string) (file, text bool) {
	for _, f := range c.Files {
		for _, side := range f.Sides() {
			if name := side.Declares(id); name != "" && f.TouchesTest() {
				file = true
				text = text || ownText(f.Old, name) != ownText(f.New, name)
			}
		}
	}
	return file, text
}

// vacuous refuses a change to tests after which a test no longer fails with the
// sources for which it was once red. Tests that do not compile with those
// sources show nothing either way.
func vacuous(c *Case) []Finding {
	if c.Reversed == nil || !c.Reversed.Facts.Complete() {
		return nil
	}
	id := c.Reversed.Test
	if now, ok := c.follow(c.Before, c.After).now[id]; ok {
		id = now.ID
	}
	t, ran := c.Reversed.Facts.Lookup(id)
	if !ran || t.Status != StatusPassed {
		return nil
	}
	return []Finding{about(t, fmt.Sprintf("this test, as it is now, passes against the sources of step %d, for which it was red", c.Reversed.Step),
		"let it check what it checked")}
}
