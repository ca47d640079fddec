package gates

import (
	"fmt"
	"slices"
)

// Evidence is what was measured of the worth of a case's tests. Grades are by the
// id of a test; one that could not be mirrored has none.
type Evidence struct {
	Before map[string]Grade // of the tests of the parent's tree; nil if that was not needed
	After  map[string]Grade // of the tests of the commit's tree
	// Rerun is the facts of the open red, run again with the sources of before; nil
	// if there is none, or if it cannot be run.
	Rerun *Facts
	// Trials are the runs of the open red with what this step added made wrong, or of a
	// characterization with the code that it runs.
	Trials []Trial
	// Untried is set if nothing that it added could be made wrong.
	Untried bool
	// Reading has the tests that notice a comment in what this step added.
	Reading []string
	// Raising has the tests whose own checks fail by an exception that is no assertion.
	Raising map[string]bool
	// Compared is set if the tests of before and those of now were held against the
	// same mutants of the sources.
	Compared bool
	Loss
	// Partial is set if not all was asked, because somebody waits for the verdict: only the
	// tests in the files that changed, and small errors until one is noticed.
	Partial bool
	// Earlier are the tests that an earlier commit, of sources alone, made weaker.
	Earlier []Earlier
}

// Loss is what the tests of now notice less than those of before.
type Loss struct {
	// Weaker are the mutants that only the tests of before notice.
	Weaker []Mutant
	// Shifted are those that a test noticed and misses now, of which only a refactorer that
	// is an agent is refused: it reads as it did, notices most of the others still, and what
	// is set up for it is something else; or another value that it expects is still noticed.
	Shifted []Mutant
	// HandedOver has the tests of before, by id, whose assertions new tests have now, as far as
	// text shows, and that noticed one of these mutants which a new test notices, too.
	HandedOver map[string]bool
	// Decides has the tests of before, by id, that noticed one of these mutants which what
	// follows them notices by what it asserts.
	Decides map[string]bool
	// Assumed is why it was taken for granted, for all or for some of what the tests of before
	// noticed, that those of now do; in words.
	Assumed string
}

// Why it is assumed that tests notice what they did; see [Loss.Assumed].
const (
	NoTime  = "there was no time to hold the old ones and the new ones against more small errors"
	Unasked = "made to expect other values, they do not run to the end"
)

// Earlier is a test that was worth more before an earlier commit.
type Earlier struct {
	Test     string // its id before the case
	Was, Now Grade
	Commit   string // in words
}

// EvidenceMode says how much evidence is measured.
type EvidenceMode string

// The modes of evidence.
const (
	EvidenceFull    EvidenceMode = "full"    // of every test
	EvidenceChanged EvidenceMode = "changed" // of the tests in the files that a commit changes
	EvidenceOff     EvidenceMode = "off"
)

func hollowGate() Gate {
	return Gate{
		Name: "hollow", Who: "all", Judges: func(c *Case) bool { return c.Evidence != nil },
		Doc: `A new test must be able to fail. Once it passes, it is run in a copy of the tree
in which every test expects something else: it must notice. The red test of a
step must also still fail, run again, on the sources of before, and fail when
what the green added is made wrong in small ways (an operator, a constant, a
condition, a returned value): by what it asserts, not by a crash on the way, and
not when only a comment is new there: of people that is told. A
characterization that spells out no value is asked the same of the code it runs;
of people that is told.

Why: a test that passes whatever it expects, or whatever the code does, says
nothing, and everything that is built on it is untested.

A small error that no test notices is shown in its place, the line as it is and as
it was made:

  price.go:12
  - if total >= 50 {
  + if total > 50 {

To satisfy it: compare what the code returns with a value that is written out in
the test. A red that cannot be satisfied honestly goes back to the tester.`,
		Run: func(c *Case) []Finding {
			return slices.Concat(worthless(c), reading(c), stale(c), idle(c), survivors(c))
		},
	}
}

// worthless refuses new tests, and tests that a red waited for, that notice
// nothing, or hardly anything.
func worthless(c *Case) []Finding {
	fresh := c.fresh()
	var out []Finding
	for _, t := range c.After.With(StatusPassed) {
		if f, bad := worth(c, t); fresh[t.ID] && bad && !c.Misplaced(t) {
			out = append(out, f)
		}
	}
	return out
}

// fresh are the tests that are new, and those that a red waited for. A red that did
// not compile kept old ones from running, too: these are neither.
func (c *Case) fresh() map[string]bool {
	reference := c.reference()
	was := c.follow(reference, c.After).was
	out := map[string]bool{}
	for _, t := range c.After.Tests {
		_, existed := was[t.ID]
		out[t.ID] = !existed && reference.Complete() && !c.Change.retitles(t.ID)
	}
	for _, t := range c.Awaited() {
		out[t.ID] = was[t.ID].Status != StatusPassed
	}
	return out
}

// worth is the finding about a test by its grade, if that is too low.
func worth(c *Case, t Test) (Finding, bool) {
	grade := c.Evidence.After[t.ID]
	seen, bad := map[Grade]string{
		GradeHollow: "hollow: this test passes whatever it expects",
		GradeNone:   "this test checks nothing",
		GradeGuard:  "this test notices errors on the way only, no wrong result",
	}[grade]
	if !bad {
		return Finding{}, false
	}
	f := Finding{Path: t.File, Line: t.Line, Test: t.ID, Seen: seen, Remedy: "let it compare what the code returns with what is expected"}
	if grade == GradeHollow {
		f.Remedy = "let it reach its checks, and compare what the code returns with what is expected"
	} else {
		// What raised an exception before and does not now has shown what it is for, and a change
		// that came at once is shown by others than those that pass without it.
		f.Note = c.raised(t.ID) || !c.inLoop() || c.Derived && c.OnRed() && c.Before.StatusOf(t.ID) == StatusPassed
	}
	return c.ofTester(f), true
}

// ofTester is a finding about a test, which is the tester's to mend where it is the red
// that this step answers: whoever must pass a test cannot change it.
func (c *Case) ofTester(f Finding) Finding {
	if slices.ContainsFunc(c.Answered(), func(t Test) bool { return t.ID == f.Test }) {
		return c.backToTester(f)
	}
	return f
}

// backToTester is a finding that only a red that is made otherwise can mend.
func (c *Premise) backToTester(f Finding) Finding {
	if !c.Derived && c.Position.Step.Phase == PhaseRed && c.OnRed() {
		f.Owner = Tester
		f.Remedy += fmt.Sprintf("; the red of step %d goes back to the tester first: change its test, then git commit -m \"test: …\" --trailer %q",
			c.Position.Step.Number, KeyOutcome+": "+string(Disputed))
	}
	return f
}

// failed reports whether a test ran before and failed by an assertion or an exception.
func (c *Premise) failed(id string) bool {
	t, _ := c.Before.Lookup(id)
	return t.Status == StatusFailed && t.Class == ClassAssertion || c.raised(id)
}

// raised reports whether a test failed before by an exception of the sources.
func (c *Premise) raised(id string) bool {
	t, _ := c.Before.Lookup(id)
	return t.Status == StatusFailed && (t.Class == ClassException || t.Class == ClassUnimplemented)
}

// Answered lists the tests that an open red waited for and that pass now; without
// one, the open acceptance tests that pass now.
func (c *Case) Answered() []Test {
	if c.Plays != Implementor {
		return nil
	}
	if !c.OnRed() {
		return c.Accepted()
	}
	known, after := c.Known(), c.follow(c.Before, c.After)
	failed := slices.DeleteFunc(c.Before.With(StatusFailed), func(t Test) bool { return known[t.ID] })
	out := Each(failed, func(t Test) Test { return after.now[t.ID] })
	if c.Before.Outcome == Broken {
		out = append(out, unloaded(c)...)
	}
	return c.ownAnswers(slices.DeleteFunc(out, func(t Test) bool { return t.Status != StatusPassed }))
}

// unloaded lists the tests that could not run before, because a red did not load:
// those in its file; of one that says nothing of itself those in the files that
// the facts complain of.
func unloaded(c *Case) (out []Test) {
	reds := slices.DeleteFunc(slices.Clone(c.Position.Step.Red), func(r Red) bool { return !r.ByFile() })
	if c.Position.Step.Phase != PhaseRed || len(c.Position.Step.Red) == 0 {
		reds = []Red{{}}
	}
	for _, r := range reds {
		out = Union(out, awaited(c, r))
	}
	return out
}

// Awaited lists the tests that the red and the open acceptance tests waited for and
// that pass now.
func (c *Case) Awaited() []Test { return Union(c.Answered(), c.Accepted()) }

// stale refuses a green whose red test passes with the sources of before as well,
// when it is run again: the clock made it pass, or something that an earlier run
// left behind.
func stale(c *Case) []Finding {
	if c.Evidence.Rerun == nil {
		return nil
	}
	passing := slices.DeleteFunc(c.Awaited(), func(t Test) bool { return c.Evidence.Rerun.StatusOf(t.ID) != StatusPassed })
	return Each(passing, func(t Test) Finding {
		return c.ofTester(about(t, "run again, this test passes with the sources from before this step as well",
			"let the sources alone decide, not the clock, chance, or what an earlier run left behind"))
	})
}

// idle refuses a green whose red tests assert nothing that fails when something of it
// is made wrong.
func idle(c *Case) []Finding {
	waited := c.Answered()
	trials := slices.DeleteFunc(slices.Clone(c.Evidence.Trials), func(t Trial) bool { return t.Given })
	switch {
	case len(waited) == 0:
		return pinsNothing(c)
	case len(c.Evidence.Trials) > 0 && len(c.Unshown(waited)) < len(waited):
		return nil
	case c.Evidence.Untried || len(trials) < len(c.Evidence.Trials) && len(trials) == 0:
		return []Finding{note(waited[0], "nothing that this step added could be made wrong, so it is not shown that this test checks it",
			"see by hand that it fails without this code")}
	case len(trials) == 0:
		return nil
	}
	seen := "passes too"
	if slices.ContainsFunc(trials, func(t Trial) bool { return !t.Unnoticed(waited) }) {
		seen = "passes too, or crashes before it asserts anything,"
	}
	f := about(waited[0], "this test "+seen+" when what the change added is made wrong ("+ways(trials)+"), so it does not check it",
		"let the test check what the code returns")
	f.Mutant = trials[0].Mutants[0]
	// That the whole of a change is missing is an error too, and noticed: it shows enough of one
	// that came at once, or where each small error of it is noticed somehow, of a test that compares.
	missed := slices.ContainsFunc(trials, func(t Trial) bool { return t.Missed(waited) })
	shows := func(t Test) bool {
		grade := c.Evidence.After[t.ID]
		return grade.Worth() >= GradeSense.Worth() && (c.failed(t.ID) || c.Derived && !missed && grade != "")
	}
	if (c.Derived || !missed) && !slices.ContainsFunc(waited, func(t Test) bool { return !shows(t) }) {
		f.Seen = "this test fails without the change, but " + seen + " with each small error that was tried in it (" + ways(trials) + ")"
		f.Note, f.Remedy = true, "look whether it checks what the change is for"
		return []Finding{f}
	}
	return []Finding{c.ofTester(f)}
}
