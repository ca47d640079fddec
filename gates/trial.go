package gates

import (
	"fmt"
	"slices"
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
		now, ran := t.Reds.Lookup(test.ID)
		return !ran || now.Status != StatusPassed
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
			out = append(out, Finding{
				Path: m.Path, Line: m.Line, Seen: "no test notices if this is made wrong: " + m.What, Mutant: m,
				Remedy: "leave out what no test demands yet", Note: !c.Policy.RefusesMutants(),
			})
		}
	}
	return out
}

// reading refuses tests that read what the sources say.
func reading(c *Case) []Finding {
	var out []Finding
	for _, id := range c.Evidence.Reading {
		t, _ := c.After.Lookup(id)
		out = append(out, c.ofTester(Finding{
			Path: t.File, Line: t.Line, Test: id, Note: !c.Agent,
			Seen:   "this test notices a comment in the sources: it reads what they say, and does not ask what they do",
			Remedy: "let it compare what the code returns with what is expected",
		}))
	}
	return out
}
