package prove

import (
	"fmt"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// Verdict is what a change's tests prove.
type Verdict string

// The verdicts.
const (
	Proven      Verdict = "proven"
	WithGaps    Verdict = "proven, with gaps"
	Pinned      Verdict = "pinned down"
	Refactoring Verdict = "refactoring"
	Withdrawn   Verdict = "withdrawn"  // behaviour and its tests went together
	Unproven    Verdict = "unproven"   // nothing shows what the change does
	Refuted     Verdict = "refuted"    // a test is hollow, or weaker than before
	NotJudged   Verdict = "not judged" // something could not be measured
)

// Holds reports whether a verdict is no reason to send a change back.
func (v Verdict) Holds() bool { return v != Unproven && v != Refuted && v != NotJudged }

// Tier is how much is measured.
type Tier string

// The tiers.
const (
	Quick Tier = "quick" // the three trees, and which lines are reached
	Full  Tier = "full"  // also what each test notices
)

// Report is what was found out about one change.
type Report struct {
	Verdict Verdict `json:"verdict"`
	Why     string  `json:"why"` // the verdict in a sentence
	Tier    Tier    `json:"tier"`
	Base    string  `json:"base,omitempty"` // the commit that it starts from; empty if there is none
	Changed Changed `json:"-"`
	Head    string  `json:"head"` // the commit that it ends in; empty for what is staged
	Subject string  `json:"subject,omitempty"`
	// Tests are those that the change adds or rewrites, and Old is what became of the
	// others.
	Tests []Test `json:"tests"`
	Old   Old    `json:"old"`
	// Findings are the reasons of a verdict that does not hold; Notes are no reasons.
	Findings  []gates.Finding `json:"findings,omitempty"`
	Notes     []gates.Finding `json:"notes,omitempty"`
	Unreached []Lines         `json:"unreached,omitempty"`
	// Asking are the places where the change asks whether it is tested.
	Asking []Lines `json:"asking,omitempty"`
	// Answers are the places that hold what each new check gives and expects.
	Answers []Lines `json:"answers,omitempty"`
	// Singled are the places that single out numbers which the tests of the change give.
	Singled []Lines `json:"singled,omitempty"`
	// Copied are the places that compute what a test expects as the test does.
	Copied []Lines `json:"copied,omitempty"`
	// Vague are tests that fail without the change and notice no small error in it by what
	// they assert, where others do.
	Vague []Lines `json:"vague,omitempty"`
	// Reading are tests that notice a comment in the change.
	Reading []Lines `json:"reading,omitempty"`
	// Itself are checks of tests that compare what the change computes with what it computes.
	Itself []Lines `json:"itself,omitempty"`
	// Idle are checks in tests of the change that say nothing, each as it is and turned
	// round: the test passes with either.
	Idle []gates.Mutant `json:"idle,omitempty"`
	// Unnoticed are the small errors in the change that no test notices; Tried counts
	// all that were tried, and Left those that there was no time for.
	Unnoticed []gates.Mutant `json:"unnoticed,omitempty"`
	Tried     int            `json:"tried,omitempty"`
	Left      int            `json:"left,omitempty"`
	Unknown   []string       `json:"unknown"` // what cannot be known
	Runs      int            `json:"runs"`    // trees that were measured
	PlainMS   int64          `json:"plain_ms"`
	TookMS    int64          `json:"took_ms"`
}

// Test is a test that a change adds or rewrites.
type Test struct {
	ID   string `json:"id"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	New  bool   `json:"new"` // it was not there before, under any name
	// Without is how it ends without the change: failed, passed, or empty if it did not
	// come to run, as where it does not compile. Class and Message say why.
	Without gates.Status `json:"without,omitempty"`
	Class   gates.Class  `json:"class,omitempty"`
	Message string       `json:"message,omitempty"`
	With    gates.Status `json:"with"`
	Grade   gates.Grade  `json:"grade,omitempty"`   // empty if it was not mirrored
	Catches int          `json:"catches,omitempty"` // small errors in the change that it notices
	// Decides is how many of these it notices by what it asserts, not by a crash on the way.
	Decides int `json:"decides,omitempty"`
}

// Fails reports whether the test fails without the change.
func (t Test) Fails() bool {
	return t.Without == gates.StatusFailed || t.Without == "" && t.Class != ""
}

// Old is what became of the tests of before.
type Old struct {
	Kept int    `json:"kept"`
	Gone []Gone `json:"gone,omitempty"`
	// Changed are those that were changed, or their data, and fail as they were with the
	// change, where nothing shows whether they ask for it; or of which less can be measured
	// than before.
	Changed []string `json:"changed,omitempty"`
	// Lost has what those of them say that fail as they were with the change, by their ids.
	Lost map[string]string `json:"lost,omitempty"`
	// Weaker are assertions that demand less of a call than they did.
	Weaker []gates.Weaker `json:"weaker,omitempty"`
}

// Gone is a test that was there before.
type Gone struct {
	ID   string `json:"id"`
	File string `json:"file,omitempty"`
	// Fails is set if it fails, as it was, with the change: what it asked for is gone too.
	Fails bool `json:"fails"`
}

// Lines are lines of a file that lie together.
type Lines struct {
	Path  string `json:"path"`
	First int    `json:"first"`
	Last  int    `json:"last"`
	Text  string `json:"text"` // of the first
}

// Where is the place in the usual form, as far as it is known.
func (l Lines) Where() string {
	switch l.First {
	case 0:
		return l.Path
	case l.Last:
		return fmt.Sprintf("%s:%d", l.Path, l.First)
	}
	return fmt.Sprintf("%s:%d-%d", l.Path, l.First, l.Last)
}

// Worst is the verdict on several changes: the one that is least of all.
func Worst(reports []Report) Verdict {
	if len(reports) == 0 {
		return NotJudged
	}
	for _, v := range []Verdict{NotJudged, Refuted, Unproven} {
		if slices.ContainsFunc(reports, func(r Report) bool { return r.Verdict == v }) {
			return v
		}
	}
	return reports[0].Verdict
}

// Places are lines of a change that nothing vouches for, all for one reason.
type Places struct {
	Title  string // over all of them
	Seen   string // what is said of one
	Remedy string
	Lines  []Lines
}

// Places are the lines that nothing vouches for, by their reasons.
func (r Report) Places() []Places {
	spelled := "let it expect a value that is written out"
	return []Places{
		{"no test reaches", "no test reaches this", "test it, or leave it out", r.Unreached},
		{"the change asks whether it is tested", "the change asks whether it is tested", "let it do the same, tested or not", r.Asking},
		{"the new tests ask only for values that are written here", "the new tests ask only for values that are written in the change", "let a test ask for one that is not", r.Answers},
		{"the new tests give each number that is singled out here", "the new tests give each number that is singled out here, and hardly one beside it", "let a test give others like them", r.Singled},
		{"a test computes what it expects as this does", "a test computes what it expects as this does", spelled, r.Copied},
		{"these tests notice no small error by what they assert", "this test notices no small error by what it asserts", spelled, r.Vague},
		{"these tests notice a comment: they read what the sources say", "this test notices a comment: it reads what the sources say", "let it compare what the code returns", r.Reading},
		{"both sides of these checks are computed by the change", "both sides of this check are computed by the change", spelled, r.Itself},
	}
}

// Gaps are what nothing vouches for, as notes at their lines: lines that no test reaches,
// places that ask whether they are tested or compute what tests compute, old tests that are
// gone or changed, checks that say nothing, and small errors that no test notices.
func (r Report) Gaps() []gates.Finding {
	var out []gates.Finding
	add := func(f gates.Finding) {
		f.Gate, f.Note = "evidence", true
		out = append(out, f)
	}
	for _, p := range r.Places() {
		for _, l := range p.Lines {
			add(gates.Finding{Path: l.Path, Line: l.First, Seen: p.Seen + ": " + l.Text, Remedy: p.Remedy})
		}
	}
	for _, f := range r.Old.Told() {
		add(f)
	}
	for _, m := range r.Idle {
		add(m.Finding("this check says nothing: the test passes also with "+m.What, "let it be reached, and decide"))
	}
	for _, m := range r.Unnoticed {
		add(m.Finding("no test notices if this is made wrong: "+m.What, "test the difference, or leave it out"))
	}
	return out
}

// Told says what became of the old tests that are not as they were.
func (o Old) Told() []gates.Finding {
	out := make([]gates.Finding, 0, len(o.Gone)+len(o.Changed)+len(o.Weaker))
	for _, g := range o.Gone {
		seen := "is gone"
		if g.Fails {
			seen += ": as it was, it fails with the change"
		}
		out = append(out, gates.Finding{Path: g.File, Test: g.ID, Seen: seen, Remedy: "say why, or put it back"})
	}
	for _, id := range o.Changed {
		seen := "was changed, or its data, and expects something else or less"
		if why, lost := o.Lost[id]; lost {
			seen += ": as it was, it fails with the change (" + why + ")"
		}
		out = append(out, gates.Finding{Test: id, Seen: seen, Remedy: "look whether that is what the change is for"})
	}
	for _, w := range o.Weaker {
		seen := "demands less than it did: " + w.Now + ", instead of " + w.Was
		out = append(out, gates.Finding{Path: w.File, Line: w.Line, Seen: seen, Remedy: "put it back as it was, or with the value that is right now"})
	}
	return out
}
