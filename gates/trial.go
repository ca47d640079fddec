package gates

import (
	"fmt"
	"slices"
	"strings"
)

// Trial is a run of the tests that a red waited for, with something of what the
// green added made wrong.
type Trial struct {
	Mutants []Mutant
	Reds    Facts
	// Given is set if all that was made wrong is what parameters are by default: a test that
	// gives them something is about what it gives.
	Given bool
	Suite *Facts // of all tests; nil unless those of the red noticed nothing
}

// Unnoticed reports whether none of some tests noticed.
func (t Trial) Unnoticed(tests []Test) bool {
	return t.Reds.Outcome != Timeout && !slices.ContainsFunc(tests, func(test Test) bool {
		return t.Reds.StatusOf(test.ID) != StatusPassed
	})
}

// Missed reports whether none of some tests noticed, nor, where that was asked, any other.
// What others notice is about what was there before.
func (t Trial) Missed(tests []Test) bool {
	return t.Unnoticed(tests) && (t.Suite == nil || t.survived())
}

// Shown reports whether one of some tests notices what a trial made wrong by what it
// asserts. A crash on the way says nothing for a test, unless its own checks fail by
// exceptions, or it is the very one that its red saw: then that is what it is about.
func (c *Case) Shown(t Trial, tests []Test) bool {
	return t.Reds.Outcome == Timeout || slices.ContainsFunc(tests, func(test Test) bool {
		now, _ := t.Reds.Lookup(test.ID)
		was, _ := c.Before.Lookup(test.ID)
		if now.Status != StatusFailed {
			return false
		}
		again := was.Class == now.Class && Gist(was.Message) == Gist(now.Message)
		return again || now.Class != ClassException && now.Class != ClassUnimplemented && now.Class != ClassMissingSymbol || c.Evidence.Raising[test.ID]
	})
}

// Unspelled are the new tests of a characterization that notice when their checks are
// turned round, and spell out no value that could be altered.
func (c *Case) Unspelled() []Test {
	if c.Special != Characterization || c.Evidence == nil {
		return nil
	}
	return slices.DeleteFunc(NewTests(c), func(t Test) bool { return c.Evidence.After[t.ID] != GradeSense })
}

// Unshown are those of some tests that no trial showed to notice anything.
func (c *Case) Unshown(tests []Test) []Test {
	return slices.DeleteFunc(slices.Clone(tests), func(t Test) bool {
		return slices.ContainsFunc(c.Evidence.Trials, func(made Trial) bool { return c.Shown(made, []Test{t}) })
	})
}

// survived reports whether no test at all noticed.
func (t Trial) survived() bool { return t.Suite != nil && t.Suite.Outcome == Passed }

// ways says what was made wrong.
func ways(trials []Trial) string {
	made := trials[0].Mutants[0]
	text := fmt.Sprintf("%s:%d: %s", made.Path, made.Line, made.What)
	if more := len(trials) - 1; more > 0 {
		text += fmt.Sprintf("; and %d other", more)
	}
	return text
}

// survivors lists the mutants that no test noticed.
func survivors(c *Case) []Finding {
	var out []Finding
	for _, t := range c.Evidence.Trials {
		if !t.survived() {
			continue
		}
		for _, m := range t.Mutants {
			f := m.Finding("no test notices if this is made wrong: "+m.What, "leave out what no test demands yet")
			f.Note = !c.Policy.RefusesMutants()
			out = append(out, f)
		}
	}
	return out
}

// reading refuses tests that read what the sources say.
func reading(c *Case) []Finding {
	return Each(c.Evidence.Reading, func(id string) Finding {
		t, _ := c.After.Lookup(id)
		f := about(t, "this test notices a comment in the sources: it reads what they say, and does not ask what they do",
			"let it compare what the code returns with what is expected")
		f.Test, f.Note = id, !c.Agent
		return c.ofTester(f)
	})
}

// Mutant is a small change of a source.
type Mutant struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Last int    `json:"last,omitempty"` // the last line, where several are altered
	What string `json:"what"`           // in words
	// Was and Now are the line without it and with it; of several, which they are, or the first that differs.
	Was string `json:"was,omitempty"`
	Now string `json:"now,omitempty"`
}

// Finding is what was seen by a mutant.
func (m Mutant) Finding(seen, remedy string) Finding {
	return Finding{Path: m.Path, Line: m.Line, Mutant: m, Seen: seen, Remedy: remedy}
}

// lines is what a mutant makes of its line, in brackets; empty if that is not known.
func (m Mutant) lines() string {
	if strings.TrimSpace(m.Was) == "" {
		return ""
	}
	return fmt.Sprintf(" (%s → %s)", clip(m.Was), clip(m.Now))
}

// diff is what a mutant makes of its line, below a text that may name its place.
func (m Mutant) diff(named string) string {
	if m.Was == "" {
		return ""
	}
	text := "\n  - " + clip(m.Was) + "\n  + " + clip(m.Now)
	if place := fmt.Sprintf("%s:%d", m.Path, m.Line); place != named {
		text = "\n  " + place + text
	}
	return text
}

// mostShown is how many letters of a line are shown.
const mostShown = 72

// clip is the beginning of a line without its indentation.
func clip(line string) string { return Clip(strings.TrimSpace(line), mostShown) }

// Grade says what a passing test is worth, by what it notices when every test of
// its tree is made to expect something else.
type Grade string

// The grades, the best first. A test that was not mirrored has none.
const (
	GradeValue  Grade = "A" // it notices that a value it expects is another one
	GradeSense  Grade = "B" // it notices only that the sense of its checks is turned round
	GradeGuard  Grade = "C" // only what guards its checks notices anything
	GradeNone   Grade = "D" // it has no check
	GradeHollow Grade = "H" // it has checks, and passes whatever they expect
)

// Worth is the order of grades: what is worth more is greater. A grade that is not
// known is worth as much as any.
func (g Grade) Worth() int {
	order := []Grade{GradeHollow, GradeNone, GradeGuard, GradeSense, GradeValue}
	if at := slices.Index(order, g); at >= 0 {
		return at
	}
	return len(order)
}

// BestOf gives each passing test of some facts the best grade there is.
func BestOf(f Facts) map[string]Grade {
	out := map[string]Grade{}
	for _, t := range f.With(StatusPassed) {
		out[t.ID] = GradeValue
	}
	return out
}

// Says is a grade and what it means.
func (g Grade) Says() string {
	meaning := map[Grade]string{
		GradeValue: "notices another expected value", GradeSense: "notices its check turned round; no value is spelled out in that",
		GradeGuard: "notices only errors on the way", GradeNone: "checks nothing", GradeHollow: "passes whatever it expects",
	}
	return fmt.Sprintf("%s, %s", g, meaning[g])
}

// pins lists the objections to a characterization that the policy does not allow an
// agent: only a criterion that is met already may be pinned down, by one test that
// is known to notice something.
func pins(c *Case) []Finding {
	anew, tests := DeclaredAnew(c.Change), NewTests(c)
	var grades map[string]Grade
	if c.Evidence != nil {
		grades = c.Evidence.After
	}
	switch {
	case c.Serves == 0:
		return []Finding{objection("a characterization by an agent; the policy refuses it",
			"write a test that fails; or one that names an acceptance criterion which is met already and not yet whole ("+KeyCriterion+"); "+
				"or set gates.characterization: allow in a commit of its own")}
	case len(anew) > 1:
		return []Finding{objection(fmt.Sprintf("%d new tests for criterion %d, which is met already: %s", len(anew), c.Serves, strings.Join(anew, ", ")),
			"keep one")}
	case !slices.ContainsFunc(tests, func(t Test) bool { return grades[t.ID] != "" }):
		return []Finding{objection(fmt.Sprintf("nothing shows that the test for criterion %d, which is met already, could fail: what it expects was not altered, because its language or its report does not allow that", c.Serves),
			"leave it to a person, or set gates.characterization: allow in a commit of its own")}
	case !slices.ContainsFunc(tests, func(t Test) bool { return grades[t.ID] == GradeValue || grades[t.ID] == GradeSense }):
		return []Finding{objection(fmt.Sprintf("nothing shows that the test for criterion %d, which is met already, could fail", c.Serves),
			"add one test that compares what the code returns with a value that is written out in it")}
	}
	return nil
}

// pinsNothing objects to a characterization with a test that notices none of the errors
// in the code that it runs. That is told of people: a law that holds of the code, as a + b
// is b + a, may hold of it with each of these errors, too.
func pinsNothing(c *Case) []Finding {
	unshown, trials := c.Unshown(c.Unspelled()), c.Evidence.Trials
	if len(unshown) == 0 || len(trials) == 0 && !c.Evidence.Untried {
		return nil
	}
	f := about(unshown[0], "none of the code that this test is known to run could be made wrong, so it is not shown that this test checks it",
		"spell out in the test what the code returns")
	f.Note = !c.Agent || c.Evidence.Untried
	if !c.Evidence.Untried {
		f.Mutant = trials[0].Mutants[0]
		f.Seen = "this test passes too when the code is made wrong (" + ways(trials) + "): it may hold what the code says against itself"
	}
	return []Finding{f}
}
