package evidence

import (
	"context"
	"maps"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// stage is one way in which tests are made to expect something else.
type stage struct {
	// edits are those of the checks of one unit of a test, or of all helpers of a
	// file, and the grade of a test that notices them.
	edits   func(unit []*syntax.Check) ([]syntax.Edit, gates.Grade)
	helpers bool
}

// stages lists the ways in the order in which they are tried. Each is asked of the
// tests only that noticed none of those before. What a call expects and what its
// helper checks are never altered together: they could cancel each other.
func stages() []stage {
	return []stage{
		{edits: values},
		{edits: senses},
		{edits: helped, helpers: true},
		{edits: guards},
	}
}

// values alters what a unit expects where that is written out; where nothing is,
// it turns the sense of its checks round.
func values(unit []*syntax.Check) ([]syntax.Edit, gates.Grade) {
	for _, calls := range []bool{false, true} {
		var edits []syntax.Edit
		for _, c := range unit {
			if !c.Guard && c.Call == calls {
				edits = append(edits, c.Altered...)
			}
		}
		if len(edits) > 0 {
			return edits, gates.GradeValue
		}
	}
	return senses(unit)
}

// senses turns the sense of a unit's checks round.
func senses(unit []*syntax.Check) ([]syntax.Edit, gates.Grade) {
	return negated(unit, func(c *syntax.Check) bool { return !c.Guard && !inside(c, unit) }), gates.GradeSense
}

// guards turns round what only guards the checks of a unit.
func guards(unit []*syntax.Check) ([]syntax.Edit, gates.Grade) {
	return negated(unit, func(c *syntax.Check) bool { return c.Guard }), gates.GradeGuard
}

// negated turns the sense of some checks round.
func negated(unit []*syntax.Check, asked func(*syntax.Check) bool) []syntax.Edit {
	unit = slices.DeleteFunc(slices.Clone(unit), func(c *syntax.Check) bool { return !asked(c) })
	return slices.Concat(gates.Each(unit, func(c *syntax.Check) []syntax.Edit { return c.Negated })...)
}

// inside reports whether a check stands in another one whose sense is turned round, as in a
// lambda that is given to it. One that failed would be what the other one then wants.
func inside(c *syntax.Check, unit []*syntax.Check) bool {
	return slices.ContainsFunc(unit, func(o *syntax.Check) bool {
		return !o.Guard && len(o.Negated) > 0 && o.At != c.At && o.At.Start <= c.At.Start && c.At.End <= o.At.End
	})
}

// helped makes helpers expect something else.
func helped(unit []*syntax.Check) ([]syntax.Edit, gates.Grade) {
	var edits []syntax.Edit
	for _, c := range unit {
		switch {
		case c.Guard, inside(c, unit):
		case len(c.Negated) > 0:
			edits = append(edits, c.Negated...)
		default:
			edits = append(edits, c.Altered...)
		}
	}
	return edits, gates.GradeSense
}

// heard is what the tests of a suite say of a mutant, by their ids: those that fail, those of
// them that do so by an assertion, and those that did not come to their turn, which noticed
// nothing, and missed nothing.
type heard struct{ failing, asserting, missing map[string]bool }

// asked asks a suite about a mutant. Another word in again asks anew.
func (s Suite) asked(ctx context.Context, p placed, again string) (heard, error) {
	g := Group{members: []placed{p}}
	facts, ok, err := Try(ctx, &g, s.Tests, func(ctx context.Context, q Question) (gates.Facts, error) {
		q.For = again
		return s.Run(ctx, q)
	})
	out := heard{failing: map[string]bool{}, asserting: map[string]bool{}, missing: map[string]bool{}}
	for _, t := range s.Tests {
		switch now, ran := facts.Lookup(t.ID); {
		case err != nil || !ok:
		case !ran:
			out.missing[t.ID] = true
		case now.Status == gates.StatusFailed:
			out.failing[t.ID] = true
			if now.Class == gates.ClassAssertion {
				out.asserting[t.ID] = true
			}
		}
	}
	return out, err
}

// How many tests are asked once more, each by itself: of those that never came to their turn,
// and of those that passed.
const maxLost, maxPassed = 10, 3

// alone asks the tests that noticed nothing, or no other value, once more, each by
// itself, and the rows of a table together: an altered test that ran before it may have kept
// it from running, or from noticing.
func (m *mirror) alone(ctx context.Context) error {
	everybody := m.tests
	defer func() { m.tests = everybody }()
	for _, rows := range m.left() {
		m.tests = rows
		if err := m.askAnew(ctx); err != nil {
			return err
		}
	}
	return nil
}

// left are the tests to be asked once more, by id, those of one text together.
func (m *mirror) left() (out []map[string]*graded) {
	most := map[bool]int{false: maxLost, true: maxPassed}
	var last *graded
	for _, id := range slices.Sorted(maps.Keys(m.tests)) {
		g := m.tests[id]
		switch {
		case (g.grade != "" || !g.checked()) && (!g.deaf && !g.lost || g.grade != gates.GradeSense):
		case last != nil && last.file == g.file && last.name == g.name:
			out[len(out)-1][id] = g
		case most[g.passed] > 0:
			most[g.passed]--
			out, last = append(out, map[string]*graded{id: g}), g
		}
	}
	return out
}

// askAnew asks the tests as if nobody had; what shows nothing leaves them as they were.
func (m *mirror) askAnew(ctx context.Context) error {
	before := map[string]gates.Grade{}
	for id, g := range m.tests {
		before[id] = g.grade
		g.grade, g.deaf = "", false
	}
	if err := m.ask(ctx, stages()[0]); err != nil {
		return err
	}
	for id, g := range m.tests {
		if g.grade == "" && !g.deaf {
			g.grade = before[id]
		}
	}
	return nil
}
