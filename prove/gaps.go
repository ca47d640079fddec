package prove

import (
	"github.com/git-tdd/git-tdd/gates"
)

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
		{"something new is missing among its like", "something new is missing among its like", "name it here too, if that is not meant", r.Forgotten},
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
