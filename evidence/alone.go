package evidence

import (
	"context"
	"maps"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

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
