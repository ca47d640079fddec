// Package evidence says what tests are worth: it alters what they expect, and the
// sources that they test, and reads what a run makes of it. How a tree is run is
// its caller's to know.
package evidence

import (
	"context"
	"crypto/sha256"
	"maps"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// How often edits that do not compile are taken back, and tests are asked again that another
// one kept from their turn.
const maxRepairs, maxTurns = 3, 8

// question is a tree in which tests expect something else.
type question struct {
	files map[string]string
	grade map[string]gates.Grade // of the tests that notice it, by id
	used  map[string][]*syntax.Check
	// helpers is set if it is what helpers check that was altered, not what the tests
	// themselves do.
	helpers bool
}

// asked lists the tests that a question is about.
func (m *mirror) asked(q question) []gates.Test {
	return gates.Each(slices.Sorted(maps.Keys(q.grade)), func(id string) gates.Test { return m.tests[id].test })
}

// ask makes the tests that noticed nothing so far expect something else, and grades
// those that notice it.
func (m *mirror) ask(ctx context.Context, s stage) error {
	for repairs, turns := 0, 0; repairs < maxRepairs && turns < maxTurns; {
		q := m.question(s)
		if len(q.files) == 0 || len(q.grade) == 0 {
			return nil
		}
		facts, err := m.run(ctx, Question{Files: q.files, Tests: m.asked(q)})
		if err != nil {
			return err
		}
		if !facts.Complete() && m.repair(q, facts) {
			repairs++
			continue
		}
		switch noticed, lost := m.answer(q, facts); {
		case !lost || facts.Outcome == gates.Timeout: // who waits for ever would again
			return nil
		case noticed: // what noticed cannot keep a test from its turn again
			turns++
		default: // in another order, perhaps
			turns += maxTurns / 2
		}
	}
	return nil
}

// question makes the edits of a stage for all tests that have no grade yet.
func (m *mirror) question(s stage) question {
	q := question{grade: map[string]gates.Grade{}, used: map[string][]*syntax.Check{}, helpers: s.helpers}
	edits := map[*File][]syntax.Edit{}
	take := func(f *File, unit []*syntax.Check) gates.Grade {
		unit = slices.DeleteFunc(slices.Clone(unit), func(c *syntax.Check) bool { return m.broken[c] })
		made, grade := s.edits(unit)
		if len(made) == 0 {
			return "" // nothing could be altered
		}
		edits[f] = append(edits[f], made...)
		q.used[f.Path] = append(q.used[f.Path], unit...)
		return grade
	}
	if s.helpers {
		m.askHelpers(&q, take)
	} else {
		m.askTests(&q, take)
	}
	q.files = apply(edits)
	return q
}

// mark is what languages put behind a text to make another one of it.
const mark = "~tdd"

// apply has the files that edits change, by path. Letters that nobody can know who does not
// know the file take the place of the mark: a program could look for it.
func apply(edits map[*File][]syntax.Edit) map[string]string {
	out := map[string]string{}
	for f, list := range edits {
		sum := sha256.Sum256([]byte(f.Path + "\x00" + f.Content))
		letters := string([]byte{'~', 'a' + sum[0]%26, 'a' + sum[1]%26, 'a' + sum[2]%26})
		list = slices.Clone(list)
		for i := range list {
			list[i].Text = strings.ReplaceAll(list[i].Text, mark, letters)
		}
		if altered := syntax.Apply(f.Content, list); altered != f.Content {
			out[f.Path] = altered
		}
	}
	return out
}

// askTests asks the tests by their own checks.
func (m *mirror) askTests(q *question, take func(*File, []*syntax.Check) gates.Grade) {
	type unit struct {
		file *File
		name string
	}
	grades := map[unit]gates.Grade{} // empty if nothing could be altered
	for id, g := range m.tests {
		if g.grade != "" {
			continue
		}
		for name, checks := range g.units() {
			u := unit{g.file, name}
			if _, asked := grades[u]; !asked {
				grades[u] = take(g.file, checks)
			}
			if was, now := q.grade[id], grades[u]; now != "" && (was == "" || now.Worth() > was.Worth()) {
				q.grade[id] = now // the best of its parts'
			}
		}
	}
}

// askHelpers asks all tests by what their helpers check.
func (m *mirror) askHelpers(q *question, take func(*File, []*syntax.Check) gates.Grade) {
	asked := false
	for i := range m.files {
		var helpers []*syntax.Check
		for j := range m.files[i].Checks {
			if c := &m.files[i].Checks[j]; c.Test == "" {
				helpers = append(helpers, c)
			}
		}
		asked = take(&m.files[i], helpers) != "" || asked
	}
	for id, g := range m.tests {
		if asked && g.grade == "" {
			q.grade[id] = gates.GradeSense
		}
	}
}

// answer grades the tests that noticed, and marks those that passed all the same.
// A test may have nothing to do with the helpers of its file: that it passes when
// they are altered says nothing of it. It reports whether any test noticed, and
// whether any never came to its turn.
func (m *mirror) answer(q question, facts gates.Facts) (noticed, lost bool) {
	for id, grade := range q.grade {
		t, ran := facts.Lookup(id)
		if grade == gates.GradeValue {
			m.tests[id].lost = !ran
		}
		switch t.Status {
		case gates.StatusFailed:
			m.tests[id].grade, noticed = grade, true
		case gates.StatusPassed:
			m.tests[id].deaf = m.tests[id].deaf || grade == gates.GradeValue && m.tests[id].direct()
			m.tests[id].passed = m.tests[id].passed || !q.helpers && (grade != gates.GradeGuard || len(m.tests[id].judging()) == 0)
		case gates.StatusSkipped:
		default:
			m.tests[id].passed, lost = m.tests[id].passed && q.helpers, true
		}
	}
	return noticed, lost
}

// repair gives up the checks whose edits do not compile. It reports whether there
// are any.
func (m *mirror) repair(q question, facts gates.Facts) bool {
	found := false
	for _, d := range facts.Diagnostics {
		for _, c := range q.used[d.File] {
			if !m.broken[c] && m.at(d, c) {
				m.broken[c], found = true, true
			}
		}
	}
	return found
}

// at reports whether a complaint is about the lines of a check.
func (m *mirror) at(d gates.Diagnostic, c *syntax.Check) bool {
	if d.Line == 0 {
		return true
	}
	i := slices.IndexFunc(m.files, func(f File) bool { return f.Path == d.File })
	content := m.files[i].Content
	spans := append(gates.Each(slices.Concat(c.Altered, c.Negated), func(e syntax.Edit) syntax.Span { return e.Span }), c.At)
	return slices.ContainsFunc(spans, func(s syntax.Span) bool { return covers(content, s, d.Line) })
}

// alike is what the tests of a side showed that another one has, too: of the same text, and with
// the same number of rows.
func alike(s, other Side) gates.Facts {
	out, own, theirs := s.Plain, rows(s.Plain), rows(other.Plain)
	out.Tests = slices.DeleteFunc(slices.Clone(out.Tests), func(t gates.Test) bool {
		o, there := other.Plain.Lookup(t.ID)
		return !there || own[t.ID] != theirs[t.ID] || find(s.Files, t).text() != find(other.Files, o).text()
	})
	return out
}

// text is that of a test; empty if none is found.
func (g *graded) text() string {
	if g == nil {
		return ""
	}
	from, to := g.lines()
	return strings.TrimSpace(g.file.Content[from:to])
}

// rows counts the tests below each one that others are rows of.
func rows(f gates.Facts) map[string]int {
	out := map[string]int{}
	for _, t := range f.Tests {
		for i, sign := range t.ID {
			if sign == '/' {
				out[t.ID[:i]]++
			}
		}
	}
	return out
}
