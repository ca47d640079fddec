package evidence

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// Idle finds checks in some passing tests that say nothing: each test that has one passes also
// if that check alone asks for the contrary. The first of a test is left to [Grades]; the others
// are tried from the last on, the deepest before all, one of each test in a run, in so many runs
// at most.
func Idle(ctx context.Context, files []File, tests []gates.Test, runs int, run Run) ([]gates.Mutant, error) {
	all := lineup{}
	for _, t := range tests {
		if g := find(files, t); g != nil {
			all.add(g)
		}
	}
	var out []gates.Mutant
	for i := range runs {
		turned, asked := all.turned(i)
		if len(asked) == 0 {
			break
		}
		facts, err := run(ctx, Question{Files: turned, Tests: having(asked)})
		if err != nil {
			return nil, err
		}
		if !facts.Complete() {
			continue // it does not compile, or nobody knows what it shows
		}
		idle := slices.DeleteFunc(asked, func(c *owned) bool { return !c.passes(facts) })
		out = append(out, gates.Each(idle, (*owned).told)...)
	}
	slices.SortFunc(out, func(a, b gates.Mutant) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line)) })
	return out, nil
}

// owned is a check, the file in which it stands, and the tests that have it.
type owned struct {
	*syntax.Check
	file  *File
	tests []gates.Test
}

// depth is how far the line of a check is indented: what stands in a branch may never run.
func (c *owned) depth() int {
	before := c.file.Content[:c.At.Start]
	return gates.Indent(before[strings.LastIndexByte(before, '\n')+1:])
}

// lineup is the checks of tests, by the part of a test in which they stand, the deepest last, but
// for the first of each.
type lineup map[string][]*owned

// add takes in the checks of a test.
func (l lineup) add(g *graded) {
	for unit, checks := range g.units() {
		key := g.file.Path + "\x00" + unit
		if l[key] == nil {
			for _, c := range checks {
				if !c.Guard && !c.Call && len(c.Negated) > 0 {
					l[key] = append(l[key], &owned{Check: c, file: g.file})
				}
			}
			slices.SortFunc(l[key], func(a, b *owned) int { return cmp.Or(a.depth()-b.depth(), a.At.Start-b.At.Start) })
			l[key] = slices.Clip(l[key])[min(1, len(l[key])):]
		}
		for _, c := range l[key] {
			c.tests = append(c.tests, g.test)
		}
	}
}

// turned are the files in which check i from the end of each part asks for the contrary, and
// these checks.
func (l lineup) turned(i int) (files map[string]string, asked []*owned) {
	edits := map[*File][]syntax.Edit{}
	for _, list := range l {
		if i >= len(list) {
			continue
		}
		c := list[len(list)-1-i]
		if !place(edits[c.file]).covers(c.At) {
			edits[c.file], asked = append(edits[c.file], c.Negated...), append(asked, c)
		}
	}
	return apply(edits), asked
}

// having are the tests that have some checks.
func having(asked []*owned) (out []gates.Test) {
	for _, c := range asked {
		out = gates.Union(out, c.tests)
	}
	return out
}

// passes reports whether all tests that have a check pass, but for those that only hold others.
func (c *owned) passes(facts gates.Facts) bool {
	holds := func(t gates.Test) bool {
		return slices.ContainsFunc(c.tests, func(o gates.Test) bool { return len(o.ID) > len(t.ID) && strings.HasPrefix(o.ID, t.ID) })
	}
	return !slices.ContainsFunc(c.tests, func(t gates.Test) bool { return facts.StatusOf(t.ID) != gates.StatusPassed && !holds(t) })
}

// told is a check as it is, and turned round.
func (c *owned) told() gates.Mutant {
	content := c.file.Content
	m := gates.Mutant{
		Path: c.file.Path, Line: 1 + strings.Count(content[:c.At.Start], "\n"),
		What: "the contrary of " + firstLine(content[c.At.Start:c.At.End]),
	}
	m.Was, m.Now = differing(content, syntax.Apply(content, c.Negated))
	return m
}
