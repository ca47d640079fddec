package gates

import (
	"cmp"
	"fmt"
	"slices"
)

// Position is where a history stands: the nearest first-parent commit that
// takes a step. The zero value is a history that has taken none.
type Position struct {
	Commit string `json:"commit,omitempty"` // id of that commit
	Step   Step   `json:"step"`
	// Open has the acceptance tests that are open there; nil too if nobody asked.
	Open []OpenTest `json:"open,omitempty"`
}

// Started reports whether the history has taken any step.
func (p Position) Started() bool { return p.Commit != "" }

// Following is the next step after this position if a role makes it: its
// number, its cycle (which grows with each tester step) and its phase.
func (p Position) Following(role, plays Role) Step {
	s := Step{Number: p.Step.Number + 1, Role: role, Cycle: p.Step.Cycle, Phase: plays.Phase()}
	if plays == Tester || s.Cycle == 0 {
		s.Cycle++
	}
	return s
}

// Expected is what a role is expected to do at this position, in the form of
// the message that it will write; a [Keeper]'s rules say that of it.
func (p Position) Expected(plays Role) string {
	return map[Role]string{
		Tester:      "test: … with one new test that fails",
		Implementor: "feat: … or fix: … that makes " + cmp.Or(Few(p.Step.Red, Red.test), "the red test") + " pass",
		Refactorer:  "refactor: … that keeps every test, or test: … right away",
	}[plays]
}

// Together is the next step after this position if a role brings red and green in one.
func (p Position) Together(role Role) Step {
	s := p.Following(role, Tester)
	s.Phase = PhaseCycle
	return s
}

// Known has the tests whose failure before the commit was not caused by the
// loop: those that failed in the base, or, if there is none, those that the
// last step already counted as failed, or that are open acceptance tests.
func (c *Premise) Known() map[string]bool {
	set, before, pos := map[string]bool{}, c.Before, c.Position
	switch {
	case c.Base != nil:
		before = *c.Base
	case pos.Step.Phase == PhaseRed, pos.Started() && TallyOf(before).Failed > ParseTally(pos.Step.Tests).Failed:
		for _, o := range pos.Open {
			set[o.ID] = true
		}
		return set
	}
	for _, t := range before.With(StatusFailed) {
		set[t.ID] = true
	}
	return set
}

// redBut reports whether facts show a failure besides those that are known.
func (f Facts) redBut(known map[string]bool) bool {
	return f.Outcome == Broken || f.Detail == DetailExitCode && f.Outcome == Failed ||
		slices.ContainsFunc(f.With(StatusFailed), func(t Test) bool { return !known[t.ID] })
}

// OnRed reports whether the case starts on red.
func (c *Premise) OnRed() bool { return c.Before.redBut(c.Known()) }

// Contradiction says in words how facts contradict what the trailers of a
// position claim; empty if they agree. Facts outrank claims. base is the facts
// before the red, if there is one.
func Contradiction(pos Position, f Facts, base *Facts) string {
	if !pos.Started() {
		return ""
	}
	switch red := (&Premise{Position: pos, Before: f, Base: base}).OnRed(); {
	case pos.Step.Phase == PhaseRed && !red:
		return fmt.Sprintf("step %d left a red test, but nothing fails now (%s)", pos.Step.Number, TestsText(f))
	case pos.Step.Phase != PhaseRed && red:
		return fmt.Sprintf("step %d left the tests green, but now: %s%s", pos.Step.Number, TestsText(f), failures(f))
	}
	return ""
}

// failures names the first failing tests.
func failures(f Facts) string {
	if failed := f.With(StatusFailed); len(failed) > 0 {
		return ": " + Few(failed, Test.Name)
	}
	return ""
}

// unfinished explains a run that did not finish and so is not a fact. Which says, if need be, of
// which one that is told.
func unfinished(f Facts, which string) []Finding {
	if f.Finished() {
		return nil
	}
	finding := Finding{
		Seen:     "the run did not finish: " + string(f.Outcome),
		Remedy:   "this is neither red nor green; see the output, then try again",
		Unjudged: true,
	}
	diagnostics := f.Diagnostics
	if f.Check == Timeout || f.Check == Crashed {
		finding.Seen = "the check did not finish: " + string(f.Check)
		diagnostics = f.CheckDiagnostics
	}
	if len(diagnostics) > 0 {
		d := diagnostics[0]
		finding.Path, finding.Line = d.File, d.Line
		finding.Seen += fmt.Sprintf(" (%s: %s)", d.Class, firstLine(d.Message))
	}
	finding.Seen = which + finding.Seen
	return []Finding{finding}
}

const beforeThis = "before this commit, "

// complaints turns diagnostics into findings, the first few of them.
func complaints(what string, diagnostics []Diagnostic, remedy string) []Finding {
	if len(diagnostics) == 0 {
		return []Finding{{Seen: what, Remedy: remedy}}
	}
	return Each(diagnostics[:min(len(diagnostics), 5)], func(d Diagnostic) Finding {
		return about(Test{File: d.File, Line: d.Line}, fmt.Sprintf("%s (%s): %s", what, d.Class, firstLine(d.Message)), remedy)
	})
}

// failed describes one failing test.
func failed(t Test, prefix, remedy string) Finding {
	seen := fmt.Sprintf("%s (%s)", prefix, t.Class)
	if t.Message != "" {
		seen += ": " + Gist(t.Message)
	}
	return about(t, seen, remedy)
}

// flaky refuses a verdict that did not repeat, and tells of old tests that nobody is
// blamed for.
func flaky(c *Case) []Finding {
	settled := Each(c.Settled, func(id string) Finding {
		return note(Test{ID: id}, "flaky: this old test failed in one run and passed in another, and the commit touches nothing of it",
			"make the test independent of time, order and chance, in a commit of its own")
	})
	unsteady := Each(c.Unsteady[:min(len(c.Unsteady), 3)], func(id string) Finding {
		return note(Test{ID: id}, "this test has another name in every run, so nothing shows whether it is gone",
			"give it a name that does not depend on chance")
	})
	return slices.Concat(settled, unsteady, Each(c.Flaky, func(id string) Finding {
		return about(Test{ID: id}, "flaky: it did not end the same way each time it ran on this very tree",
			"make the test independent of time, order and chance")
	}))
}
