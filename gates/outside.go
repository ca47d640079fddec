package gates

import (
	"cmp"
	"fmt"
	"slices"
)

func stayGreenGate() Gate {
	return Gate{
		Name: "stay-green", Who: "outside the loop, own roles that choose it", Judges: func(c *Case) bool { return !c.inLoop() || c.Plays == Keeper && !c.Preserves() },
		Doc: `A commit outside the loop (docs, chore, style, ci, build, revert, and fixup!,
squash! or amend! of any step) takes no step and leaves the facts no worse: what
passed passes, nothing vanished or is skipped, no test asserts less than it did,
the check still passes. It does not answer an open red; a person may take the
red back whole, but not change it, nor what it uses. A revert that brings back
the very tree of an earlier commit is as good as that one, if it names what it takes
back; one that brings tests and sources that no commit took away is none. Behaviour
that is given up goes with its tests: "Tdd-Outcome: retired". A merge loses no test
of any parent, and leaves out nothing of what one side alone made of a test; what it
leaves out of sources, or brings and no side has, is told. A function that it adds
and nothing uses is told. Where the commit changes
how the project is tested, its new way must show what the old one showed. An
assertion that reads otherwise is measured, or held against the sources for which
its test was red; where neither is possible, the verdict says so. A role of the
project's own that is judged by this gate (roles.X.gate) says with "Tdd-Outcome:
skipped" that nothing is worth doing.

Why: otherwise the next step would be judged against a broken start, and a green
could slip in without a judge.

To satisfy it: repair what the commit broke, or make it a step of the loop.`,
		Run: stayGreen,
	}
}

func stayGreen(c *Case) []Finding {
	// A tree that could not run at all (no manifest yet) is a start like any
	// other; one that timed out may have tests that nobody saw.
	if c.Before.Outcome == Timeout || c.Before.Check == Timeout {
		return unfinished(c.Before, beforeThis)
	}
	if out := c.leavers(unfinished(c.After, "")); out != nil {
		return out
	}
	out := noWorse(c)
	if len(out) == 0 { // a test that vanished took its assertions along
		out = weakened(c)
	}
	out = slices.Concat(out, kept(c), tampered(c), answers(c), hidesTests(c), overreaches(&c.Premise), remarks(c), dropped(c), foreign(c), unusedNames(c), otherAnswers(c))
	if c.Restores != "" {
		return out
	}
	if c.Before.Check == "" || c.Before.Check == Passed {
		return append(out, checkPasses(c)...)
	}
	if worse := c.newComplaints(c.Before.CheckDiagnostics, c.After.CheckDiagnostics); len(worse) > 0 {
		out = append(out, complaints("the check fails", worse, "satisfy the check")...)
	}
	return out
}

// noWorse requires the tests to be no worse than before.
func noWorse(c *Case) []Finding {
	if c.Restores != "" {
		return nil // what that tree is worth was judged when it was made
	}
	if !c.After.Complete() {
		return stillBroken(c)
	}
	reference := c.reference()
	out := shadowed(c, reference)
	switch {
	case c.Retires():
		out = append(out, retired(c)...)
	case c.tidied():
		out = append(out, silenced(c, reference)...)
	default:
		out = slices.Concat(out, gone(c, keepable(&c.Premise, reference)), silenced(c, reference))
		out = slices.DeleteFunc(out, func(f Finding) bool { return c.GivenUpBySide(f.Test) })
		out = append(out, merged(c)...)
	}
	was := c.follow(reference, c.After).was
	for _, t := range c.After.With(StatusFailed) {
		before, existed := was[t.ID]
		unknown := !existed && !reference.Complete()
		if now, _ := c.Before.Lookup(t.ID); before.Status == StatusFailed || now.Status == StatusFailed || unknown || c.openOnSide(t.ID) {
			continue
		}
		out = append(out, c.blame(t, "this test fails now", "restore the behaviour that it checks"))
	}
	if c.After.Outcome == Failed && c.Before.Outcome != Failed && len(c.After.With(StatusFailed)) == 0 {
		out = append(out, Finding{Seen: "the test command fails now", Remedy: "restore the behaviour that it checks"})
	}
	return out
}

// keepable leaves out the tests that a person may remove: those of an open red.
func keepable(c *Premise, reference Facts) Facts {
	if c.inLoop() {
		return reference
	}
	known := c.Known()
	reference.Tests = slices.DeleteFunc(slices.Clone(reference.Tests), func(t Test) bool {
		return t.Status == StatusFailed && !known[t.ID]
	})
	return reference
}

// stillBroken judges a tree that does not build: it is no worse only if the one
// before did not build either, for the same reasons.
func stillBroken(c *Case) []Finding {
	worse := c.After.Diagnostics
	if c.Before.Outcome == c.After.Outcome {
		worse = c.newComplaints(c.Before.Diagnostics, worse)
		if len(worse) == 0 {
			return brokeOthers(c)
		}
	}
	return append(complaints("the tests do not compile", worse, "make everything compile again"), brokeOthers(c)...)
}

// newComplaints lists the diagnostics that were not there before, regardless of
// their line.
func (c *Premise) newComplaints(before, after []Diagnostic) []Diagnostic {
	moved := c.Change.Renames()
	known := map[Diagnostic]bool{}
	for _, d := range before {
		d.File, d.Line = cmp.Or(moved[d.File], d.File), 0
		known[d] = true
	}
	return slices.DeleteFunc(slices.Clone(after), func(d Diagnostic) bool {
		d.Line = 0
		return known[d]
	})
}

// answers refuses a commit that turns the open red green without being a step:
// how it did so would never be judged.
func answers(c *Case) []Finding {
	if c.Restores != "" || c.Position.Step.Phase != PhaseRed || !c.OnRed() {
		return nil
	}
	known, now := c.Known(), c.follow(c.Before, c.After).now
	ids := Each(slices.DeleteFunc(c.Before.With(StatusFailed), func(t Test) bool {
		return c.After.Detail == DetailExitCode || known[t.ID] || now[t.ID].Status != StatusPassed
	}), Test.Name)
	was := c.follow(c.reference(), c.After).was
	for _, r := range c.Position.Step.Red {
		anew := slices.DeleteFunc(awaited(c, r), func(t Test) bool { return was[t.ID].ID != "" })
		passes := c.Before.Outcome == Broken && c.After.Complete() && anyPassed(anew)
		if c.After.Detail == DetailExitCode { // and that is not just because the red test was removed
			passes = c.After.Outcome == Passed && touchesSources(&c.Premise)
		}
		if passes {
			ids = append(ids, r.ID)
		}
	}
	return Each(ids, func(id string) Finding {
		return about(Test{ID: id}, fmt.Sprintf("the red test of step %d passes by a commit outside the loop", c.Position.Step.Number),
			"make it pass in a step of its own (feat: or fix:)")
	})
}

// Reverts is what a commit that says it takes others back does.
type Reverts struct {
	// Unnamed has the subjects of the commits that it takes back and does not name.
	Unnamed []string
	// Of is what the commit that it names did, if it does not bring an earlier tree back.
	Of Change
	// Loosely is set if it names none of them, or the history does not go back far enough
	// to find what it names.
	Loosely bool
}

// overreaches refuses a revert that takes back more than it says, or brings tests and
// sources that nobody took away.
func overreaches(c *Premise) []Finding {
	if c.Reverts == nil {
		return nil
	}
	f := Finding{Note: c.Reverts.Loosely}
	if n := len(c.Reverts.Unnamed); n > 0 {
		f.Seen = fmt.Sprintf("the revert takes back more than it names (commits: %d), as %q", n, c.Reverts.Unnamed[0])
		f.Remedy = "name in its message each commit that it takes back, or revert them one by one"
		return []Finding{f}
	}
	if c.Restores != "" || !slices.ContainsFunc(c.Change.Files, func(f FileChange) bool { return f.touchesSource() && f.Source.Added > 0 }) {
		return nil
	}
	back := Each(c.Reverts.Of.Files, func(f FileChange) []string { // what the commit that is taken back took away
		return without(f.Was().Declared, f.Is().Declared)
	})
	anew := without(DeclaredAnew(c.Change), slices.Concat(back...))
	if len(anew) == 0 {
		return nil
	}
	f.Test, f.Seen = anew[0], "the revert brings sources and this test, which the commit that it names did not take away"
	f.Remedy = "name the commit that took them away, or take the steps: test:, then feat: or fix:"
	return []Finding{f}
}

// hidesTests refuses new commands that show less of the same tree than the old
// ones: tests that ran are gone, or what failed passes.
func hidesTests(c *Case) []Finding {
	if c.Own == nil {
		return nil
	}
	if out := unfinished(*c.Own, "under the commands that this commit brings, "); out != nil {
		return out
	}
	const remedy = "let the new commands run every test that the old ones ran"
	if c.After.Detail == DetailTest && c.Own.Detail != DetailTest {
		return []Finding{{Seen: "under the commands that this commit brings no test can be told from another", Remedy: remedy}}
	}
	if c.After.Outcome == Failed && c.Own.Outcome == Passed && c.OnRed() {
		return []Finding{{Seen: "under the commands that this commit brings the open red passes", Remedy: remedy}}
	}
	if len(c.Deafened) > 0 {
		return []Finding{about(Test{File: c.Deafened[0]}, "the command that this commit brings succeeds even if there is no code in any source, so its exit code shows nothing",
			"name a command that runs the tests, as the old one does")}
	}
	out := unseen(c)
	for _, t := range c.After.Tests {
		now, ran := c.Own.Lookup(t.ID)
		if ran && (now.Status == t.Status || t.Status != StatusPassed) || !ran && c.renamedByChance(t) {
			continue
		}
		seen := "does not run"
		if ran {
			seen = "is " + string(now.Status)
		}
		out = append(out, Finding{Path: t.File, Test: t.ID, Seen: fmt.Sprintf("under the commands that this commit brings this test %s", seen), Remedy: remedy})
	}
	return out[:min(len(out), 5)]
}

// renamedByChance reports whether a test that the new commands do not show has an id that
// changes from run to run, and they show no fewer tests of its file.
func (c *Case) renamedByChance(t Test) bool {
	_, before := c.Before.Lookup(t.ID)
	return !before && c.Drifting(t) && passing(t.File, *c.Own) >= passing(t.File, c.After)
}

// unseen says what a change of commands may hide without any facts showing it.
func unseen(c *Case) []Finding {
	var out []Finding
	if c.After.Detail == DetailExitCode && c.Own.Detail == DetailExitCode {
		out = append(out, note(Test{}, "the commit changes how the project is tested, and only the exit code tells the result, so that nothing shows whether as much is tested as before",
			"read the new command"))
	}
	if c.After.Check != "" && c.Own.Check == "" {
		out = append(out, Finding{Seen: "the commit takes the check command away", Remedy: "see whether that is meant", Note: true})
	}
	return out
}
