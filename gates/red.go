package gates

import (
	"fmt"
	"slices"
	"strings"
)

func redGate() Gate {
	return Gate{
		Name: "red", Who: "tester", Judges: func(c *Case) bool { return c.Plays == Tester },
		Doc: `At least one added or changed test fails (at most gates.max_new_red, one by
default), for a right reason: an assertion, a stub that says it is unimplemented,
an exception, or a missing symbol that the added test itself names (also one that
does not offer yet what that test asks of it). What passed before passes still;
nothing vanished, was skipped, or gave its place to a test of the same name. The
check passes, or fails by that missing symbol only. A red that is disputed is judged
as if it had never been: the tree is held against the one without it, and either
equals that (withdrawn) or is red for a right reason again (mended).

Why: a test that has not been seen failing proves nothing, and one that fails by
a syntax error proves less.

To satisfy it: add one test for one behaviour that does not exist yet. A test
that pins down what is there already is a characterization: commit it with
--trailer "Tdd-Outcome: characterization". An agent may pin down an acceptance
criterion that is met already and not yet whole, by one test that names it and
is graded A or B (git tdd facts --evidence). A test that stays red until its
criterion is met is an acceptance test (git tdd explain acceptance).`,
		Run: red,
	}
}

func red(c *Case) []Finding {
	if out := unfinished(c.After, ""); out != nil {
		return out
	}
	switch {
	case c.Special == Characterization:
		return characterization(c)
	case c.Withdraws():
		return append(remarks(c), claims(c, nil)...)
	case c.Opens():
		return opening(c)
	}
	reds, out := Reds(c)
	if len(out) == 0 && len(reds) == 0 {
		return append(nothingRed(c), remarks(c)...)
	}
	out = append(out, remarks(c)...)
	switch {
	case c.Derived:
		return out
	case len(reds) > c.Policy.MaxNewRed:
		out = append(out, objection(fmt.Sprintf("%d new failing tests: %s; the policy allows %d", len(reds), Few(reds, Red.test), c.Policy.MaxNewRed),
			"keep one failing test, leave the others for later cycles"+changedTogether(c, reds)))
	}
	return slices.Concat(out, stubReds(&c.Premise, reds), redCheck(c, reds), claims(c, reds))
}

// changedTogether says how old tests of the same behaviour become red together.
func changedTogether(c *Case, reds []Red) string {
	old := slices.DeleteFunc(slices.Clone(reds), func(r Red) bool { _, there := c.Before.Lookup(r.ID); return !there })
	switch {
	case len(old) < 2:
		return ""
	case c.Agent:
		return "; old tests that only change together need gates.max_new_red, which a person sets"
	}
	return "; old tests that only change together need gates.max_new_red, or their code in the same commit (gates.pace: cycles)"
}

func nothingRed(c *Case) []Finding {
	seen := "no added or changed test fails"
	if c.After.Outcome == Empty {
		seen = "no test ran at all"
	}
	fresh := NewTests(c)
	if ran := slices.DeleteFunc(slices.Clone(fresh), func(t Test) bool { return t.Status == StatusSkipped }); len(ran) > 0 {
		seen = "the new test passes at once: " + Few(ran, Test.Name)
	} else if len(fresh) > 0 {
		return []Finding{{Seen: "the new test is skipped: " + Few(fresh, Test.Name), Remedy: "let it run, and fail"}}
	}
	remedy := "write a test for behaviour that does not exist yet, so that it fails by its assertion"
	switch added := len(fresh) > 0; {
	case c.Agent:
	case added && c.Special == Ordinary:
		remedy += "; if it pins down what is there on purpose, commit it with --trailer '" + KeyOutcome + ": characterization'"
	case !added && !touchesSources(&c.Premise) && c.Change.RewritesTests():
		remedy += "; or commit it as refactor: if it only tidies old tests, or makes a flaky one steady"
	}
	if c.Disputes() {
		remedy += fmt.Sprintf("; or withdraw the red: take back all that step %d changed, and nothing else; what is there already is pinned down in a step after that", c.disputedStep())
	}
	return []Finding{{Seen: seen, Remedy: remedy}}
}

// Reds lists what a tester's change turned red, and the objections to it.
func Reds(c *Case) ([]Red, []Finding) {
	switch {
	case c.After.Detail == DetailExitCode:
		return coarseReds(c), nil
	case c.Derived:
		return derivedReds(c), shadowed(c, c.Before)
	case c.After.Outcome == Broken:
		return brokenReds(c)
	}
	return testReds(c)
}

// testReds judges a change after which every test could run.
func testReds(c *Case) ([]Red, []Finding) {
	out := lost(c, c.Before)
	var reds []Red
	var indirect []Test // they fail because of something outside their own text
	was := c.follow(c.Before, c.After).was
	for _, t := range c.After.Tests {
		before, existed := was[t.ID]
		switch {
		case t.Status == StatusSkipped && !existed:
			out = append(out, Finding{Path: t.File, Line: t.Line, Test: t.ID, Seen: "the new test is skipped", Remedy: "let it run, and fail"})
		case t.Status != StatusFailed || before.Status == StatusFailed || byItsParts(c.After, t):
		case existed && !rewritten(&c.Premise, t):
			indirect = append(indirect, t)
		case !slices.Contains(c.Policy.RedReasons, t.Class):
			out = append(out, failed(t, "the new test fails for a wrong reason", wrongReasonRemedy(&c.Premise)))
		default:
			reds = append(reds, Red{ID: t.ID, Class: t.Class})
		}
	}
	more, broken := shared(&c.Premise, reds, indirect)
	return append(reds, more...), append(out, broken...)
}

// Surprises are the old tests that passed before and fail now, with their own text as it
// was.
func Surprises(c *Case) []Test {
	if !c.Before.Complete() || c.After.Outcome != Failed {
		return nil
	}
	was := c.follow(c.Before, c.After).was
	return slices.DeleteFunc(c.After.With(StatusFailed), func(t Test) bool { return was[t.ID].Status != StatusPassed || rewritten(&c.Premise, t) })
}

// byItsParts reports whether a failed test has a failed part, as a Go test has
// subtests: then the part is the red, not the whole.
func byItsParts(f Facts, t Test) bool {
	return slices.ContainsFunc(f.Tests, func(part Test) bool {
		return part.Status == StatusFailed && strings.HasPrefix(part.ID, t.ID+"/")
	})
}

// shared judges the tests that fail although their own text is unchanged. A
// table or helper next to them may hold the new expectation, or a file that they
// compare with; if another test is red already, or the change is elsewhere, they
// are simply broken.
func shared(c *Premise, reds []Red, indirect []Test) ([]Red, []Finding) {
	var more []Red
	var out []Finding
	for _, t := range indirect {
		inItsFile := slices.ContainsFunc(c.Change.Files, func(f FileChange) bool { return f.rewrites(t.File) })
		if len(reds) == 0 && (inItsFile || c.Change.expectsOnly()) && slices.Contains(c.Policy.RedReasons, t.Class) {
			more = append(more, Red{ID: t.ID, Class: t.Class})
			continue
		}
		out = append(out, failed(t, "this test did not fail before, and its own text is as it was", "change only the new test; leave the others and what they need as they were"))
	}
	return more, out
}

// expectsOnly reports whether a change is to files alone that tests read, and that
// hold no code: golden files, snapshots, tables of cases.
func (c Change) expectsOnly() bool {
	return len(c.Files) > 0 && !slices.ContainsFunc(c.Files, func(f FileChange) bool {
		return !f.Old.IsData() && !f.New.IsData() || sideOf(f.Old).Kind == KindSource || sideOf(f.New).Kind == KindSource
	})
}

// rewritten reports whether the change alters the text of the test itself. If
// the file does not show where its tests begin, any change to it counts.
func rewritten(c *Premise, t Test) bool {
	return slices.ContainsFunc(c.Change.Files, func(f FileChange) bool {
		if name := f.New.Declares(t.ID); name != "" {
			return (t.File == "" || t.File == f.New.Path) && ownText(f.Old, name) != ownText(f.New, name)
		}
		return len(sideOf(f.New).Declared) == 0 && f.rewrites(t.File)
	})
}

// rewrites reports whether a change alters the tests in the file at a path, and
// not only its place.
func (c FileChange) rewrites(path string) bool {
	return c.New != nil && c.New.Path == path && sideOf(c.Old).Test != c.New.Test
}

func wrongReasonRemedy(c *Premise) string {
	return "let it fail for one of: " + joined(c.Policy.RedReasons, Word)
}

// joined says a list in words, one of them after the other.
func joined[T any](list []T, word func(T) string) string {
	return strings.Join(Each(list, word), ", ")
}

// Few lists the first of some things, and how many more there are.
func Few[T any](list []T, word func(T) string) string {
	const most = 3
	text := joined(list[:min(len(list), most)], word)
	if more := len(list) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// coarseReds judges the result of a runner that does not tell tests apart.
func coarseReds(c *Case) []Red {
	if c.After.Outcome != Failed || c.Before.Outcome == Failed {
		return nil
	}
	if f, ok := Find(c.Change.Files, func(f FileChange) bool { return f.TouchesTest() && f.New != nil }); ok {
		return []Red{{ID: f.Path(), Class: ClassExitCode}}
	}
	return nil
}

// stubReds requires that a step that adds to the sources is red because of what
// it added: a stub, and nothing more.
func stubReds(c *Premise, reds []Red) []Finding {
	if !touchesSources(c) {
		return nil
	}
	others := slices.DeleteFunc(slices.Clone(reds), func(r Red) bool { return r.Class == ClassUnimplemented })
	return Each(others, func(r Red) Finding {
		return about(Test{ID: r.ID}, fmt.Sprintf("the step adds to the sources, but the new test does not fail by a stub (%s)", r.Class),
			"let the stub say that it is unimplemented, and nothing more")
	})
}

func touchesSources(c *Premise) bool {
	return slices.ContainsFunc(c.Change.Files, FileChange.touchesSource)
}

func characterization(c *Case) []Finding {
	var out []Finding
	if c.Agent && c.Policy.Characterization != Allow {
		out = pins(c)
	}
	if !addsTest(c) {
		out = append(out, Finding{Seen: "a characterization that adds no test", Remedy: "add the test that pins down what is there"})
	}
	silent := slices.DeleteFunc(NewTests(c), func(t Test) bool { return t.Status != StatusSkipped })
	out = append(out, Each(silent, func(t Test) Finding { return about(t, "the new test is skipped", "let it run, and pass") })...)
	if touchesSources(&c.Premise) && !c.Derived { // a derived one has only what joins its tests to the sources
		out = append(out, Finding{Seen: "a characterization that changes sources", Remedy: "add tests only"})
	}
	return slices.Concat(out, noWorse(c), checkPasses(c), remarks(c), claims(c, nil))
}

// addsTest reports whether a change adds a test, or adds expectations to one. A
// runner that does not name tests shows neither; for it, the file counts.
func addsTest(c *Case) bool {
	touched := slices.ContainsFunc(c.Change.Files, func(f FileChange) bool { return f.TouchesTest() && f.New != nil })
	return len(NewTests(c)) > 0 || c.Change.MoreAssertions() > 0 || c.After.Detail == DetailExitCode && touched
}
