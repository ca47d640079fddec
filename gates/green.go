package gates

import (
	"fmt"
	"slices"
)

func greenGate() Gate {
	return Gate{
		Name: "green", Who: "implementor", Judges: func(c *Case) bool { return c.Plays == Implementor },
		Doc: `Every test passes, the red ones among them; no test vanished, was skipped or
renamed away, and the check passes. A test that failed before the red is not
this step's to repair; where nothing else fails, repairing one of those is what
the step may be for.

Why: a green that lost a test on the way is not green.

To satisfy it: make the smallest change to the sources that lets all tests pass.`,
		Run: green,
	}
}

func green(c *Case) []Finding {
	if out := c.leavers(unfinished(c.After, "")); out != nil {
		return out
	}
	if !c.After.Complete() {
		return complaints("the tests do not compile", c.After.Diagnostics, "make everything compile, without touching the tests")
	}
	return slices.Concat(unchanged(c), stillFailing(c), lost(c, c.reference()), redAnswered(c), repairs(c),
		checkPasses(c), remarks(c), claims(c, c.Red), unusedNames(c))
}

// unchanged refuses a green that changes nothing but comments and layout: then
// something else made the red test pass.
func unchanged(c *Case) []Finding {
	if !c.OnRed() || len(stillFailing(c)) > 0 || slices.ContainsFunc(c.Change.Files, func(f FileChange) bool { return !f.Inert || f.Kind() != KindSource }) {
		return nil
	}
	return []Finding{objection("the step changes no code, so something else decides whether the red test passes",
		"make the test pass by the sources; if nothing in them can, the tester has to mend the test")}
}

// reference is the last complete facts before the case: those of the parent, or
// those before the red if the red did not compile.
func (c *Premise) reference() Facts {
	if c.Base != nil && (c.Derived || !c.Before.Complete()) {
		return *c.Base
	}
	return c.Before
}

// stillFailing lists what fails after an implementor's step but should not.
func stillFailing(c *Case) []Finding {
	known := c.Known()
	var out []Finding
	for _, t := range c.After.With(StatusFailed) {
		if !known[t.ID] {
			how, remedy := "still failing", "change the sources until it passes; the test stays as it is"
			if was, ok := c.Before.Lookup(t.ID); ok && was.Status == StatusPassed {
				how, remedy = "this test passed before and fails now", remedy+c.superseded()
			}
			out = append(out, c.blame(t, how, remedy))
		}
	}
	switch {
	case c.After.Outcome == Empty:
		out = append(out, Finding{Seen: "no test ran at all", Remedy: "let the tests run again"})
	case c.After.Outcome == Failed && len(c.After.With(StatusFailed)) == 0:
		out = append(out, Finding{Seen: "the test command still fails", Remedy: "make it succeed"})
	}
	return out
}

// superseded says how to change behaviour that several old tests pin down; an agent cannot.
func (c *Premise) superseded() string {
	switch {
	case c.Derived || !c.OnRed():
		return ""
	case c.Agent:
		return "; if it contradicts the red, dispute the red"
	}
	return "; if it expects what changes on purpose, change it in the red too (gates.max_new_red), or bring tests and code in one commit (gates.pace: cycles)"
}

// repairs requires a step that starts without a red, on failures from before
// the loop, to repair one of them.
func repairs(c *Case) []Finding {
	failing := c.Before.With(StatusFailed)
	if c.OnRed() || len(failing) == 0 {
		return nil
	}
	now := c.follow(c.Before, c.After).now
	if slices.ContainsFunc(failing, func(t Test) bool { return now[t.ID].Status == StatusPassed }) {
		return nil
	}
	return []Finding{objection("no failing test passes by this change, so nothing asks for it",
		"make a failing test pass, or write one first (test: …)")}
}

// redAnswered requires that the test of a red that did not compile runs now,
// and passes; stillFailing and lost take care of every red that ran. The
// trailer is only a claim: if the tree before compiles, there is no such red.
func redAnswered(c *Case) []Finding {
	var out []Finding
	for _, r := range c.Position.Step.Red {
		if r.Symbol != "" && c.Before.Outcome == Broken && !anyPassed(awaited(c, r)) {
			seen := fmt.Sprintf("no test of this file passes that waited for %s, the red of step %d", r.Symbol, c.Position.Step.Number)
			out = append(out, about(Test{File: r.ID}, seen, "make it run and pass"))
		}
	}
	return out
}

func anyPassed(tests []Test) bool {
	return slices.ContainsFunc(tests, func(t Test) bool { return t.Status == StatusPassed })
}

// awaited lists the tests that could not run while a red did not compile: those
// in its file, and in the files with compiler errors.
func awaited(c *Case, r Red) []Test {
	files := []string{r.ID, c.Change.Renames()[r.ID]}
	for _, d := range c.Before.Diagnostics {
		files = append(files, d.File, c.Change.Renames()[d.File])
	}
	placeless := !slices.ContainsFunc(c.After.Tests, func(t Test) bool { return t.File != "" })
	return slices.DeleteFunc(slices.Clone(c.After.Tests), func(t Test) bool {
		_, ran := c.Before.Lookup(t.ID)
		return ran || !placeless && (t.File == "" || !slices.Contains(files, t.File))
	})
}

func checkPasses(c *Case) []Finding {
	if c.Derived || c.After.Check == "" || c.After.Check == Passed { // of a derived one, it is about how the change is written
		return nil
	}
	return complaints("the check fails", c.After.CheckDiagnostics, "satisfy the check")
}
