package gates

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

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
	return slices.ContainsFunc(c.Merged, func(s Side) bool { return givenUp(id, s.Fork, s.Facts) })
}

// dropped refuses a merge that leaves out what one side alone made of tests, and tells of
// sources that it leaves out so.
func dropped(c *Case) []Finding {
	var out []Finding
	for _, side := range c.Merged {
		out = slices.Concat(out, leftOut("the branch that is merged", side.Theirs, side.Ours, side.Change),
			leftOut("this branch", side.Ours, side.Theirs, c.Change))
	}
	return out
}

// leftOut compares what a side changed since the fork with what the merge has, where the
// other side left it as it was.
func leftOut(who string, since, other, merge Change) []Finding {
	var out []Finding
	for _, f := range since.Files {
		if f.Old == nil || f.New == nil {
			continue
		}
		m, differs := merge.from(f.New.Path)
		if !differs || m.New == nil {
			continue // as this side has it; or gone, which is judged test by test
		}
		theirs := f.Old
		if o, changed := other.from(f.Old.Path); changed {
			theirs = o.New
		}
		out = append(out, leftOutOf(who, f, m.New, theirs)...)
	}
	return out
}

// leftOutOf looks into one file, as it is in the merge and on the other side: first for
// single tests, then for the rest.
func leftOutOf(who string, since FileChange, merge, other *File) []Finding {
	var out []Finding
	left := func(of func(File) string) bool {
		was := of(*since.Old)
		return was != of(*since.New) && of(*merge) == was && of(sideOf(other)) == was
	}
	say := func(test, what string, note bool) {
		out = append(out, Finding{
			Path: merge.Path, Test: test, Note: note, Seen: "the merge leaves out what " + who + " made of " + what,
			Remedy: "take it as that side has it; what a merge is to take back is reverted in a commit of its own",
		})
	}
	for _, name := range sideOf(since.New).Declared {
		own := func(f File) string { return ownText(&f, name) }
		if own(*since.Old) != "" && left(own) {
			say(name, "this test", false)
		}
	}
	switch {
	case len(out) > 0:
	case left(func(f File) string { return f.Test }):
		say("", "these tests", false)
	case left(func(f File) string { return f.Source }):
		say("", "this file", true)
	}
	return out
}

// foreign tells of lines in a merge that none of its sides has, and that do not come of
// putting the sides together.
func foreign(c *Case) []Finding {
	var out []Finding
	for _, f := range c.Change.Files {
		if f.New == nil || f.Kind() == KindOther || len(c.Merged) == 0 {
			continue
		}
		if lines := foreignLines(f, c.Merged); len(lines) > 0 {
			seen := fmt.Sprintf("the merge brings what no side has (lines: %d), as in %q", len(lines), firstLine(lines[0]))
			out = append(out, note(Test{File: f.New.Path}, seen, "read it: no commit of either side asked for it"))
		}
	}
	return out
}

func foreignLines(f FileChange, sides []Side) []string {
	sum, most := tally(f.Old), tally(f.Old)
	for _, side := range sides {
		theirs, differs := side.Change.to(f.New.Path)
		if !differs {
			return nil // as this side has it
		}
		fork := f.Old
		if ours, changed := side.Ours.to(f.Was().Path); changed {
			fork = ours.Old
		}
		for line, n := range tally(theirs.Old) {
			sum[line], most[line] = sum[line]+n, max(most[line], n)
		}
		for line, n := range tally(fork) {
			sum[line] -= n
		}
	}
	now := tally(f.New)
	return slices.DeleteFunc(sortedKeys(now), func(line string) bool { return now[line] <= max(sum[line], most[line]) })
}

// tally counts the lines of a file that say something.
func tally(f *File) map[string]int {
	counts := map[string]int{}
	for line := range strings.Lines(sideOf(f).Source + "\n" + sideOf(f).Test) {
		if line = strings.TrimSpace(line); strings.ContainsFunc(line, unicode.IsLetter) {
			counts[line]++
		}
	}
	return counts
}

// from finds what a change makes of a file, by its path before.
func (c Change) from(path string) (FileChange, bool) {
	return Find(c.Files, func(f FileChange) bool { return f.Old != nil && f.Old.Path == path })
}

// to finds what a change makes a file of, by its path after.
func (c Change) to(path string) (FileChange, bool) {
	return Find(c.Files, func(f FileChange) bool { return f.New != nil && f.New.Path == path })
}

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
				out = append(out, about(Test{ID: o.ID}, "the merge changes or loses an open acceptance test", "leave it as one of its sides has it"))
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
