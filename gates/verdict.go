package gates

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Finding is one reason to refuse. The same finding serves the person at the
// terminal, the model as feedback, and CI as an annotation.
type Finding struct {
	Gate   string `json:"gate"`
	Path   string `json:"path,omitempty"`
	Line   int    `json:"line,omitempty"`
	Test   string `json:"test,omitempty"`
	Seen   string `json:"seen"`   // what was seen
	Remedy string `json:"remedy"` // what to do next
	// Owner is the role that has to act, if it is not the one whose step this is.
	Owner Role `json:"owner,omitempty"`
	// Unjudged marks a finding that is not a verdict, because the run did not
	// finish.
	Unjudged bool `json:"unjudged,omitempty"`
	// Note marks a finding that is not a reason to refuse: the gate could not
	// tell, and says so.
	Note bool `json:"note,omitempty"`
	// Told marks a note that would be a refusal, if the policy did not only tell.
	Told bool `json:"told,omitempty"`
	// Doubt marks a note that belongs beside the verdict: what was measured may not be
	// what others will see.
	Doubt bool `json:"doubt,omitempty"`
	// Mutant is the small error by which it was seen; the zero value if there is none.
	// Who can shows its two lines as a diff.
	Mutant Mutant `json:"mutant,omitzero"`
}

// objection is a finding about a commit as a whole.
func objection(seen, remedy string) Finding { return Finding{Seen: seen, Remedy: remedy} }

// about is a finding about a test, or about what of one is known: a place, an id.
func about(t Test, seen, remedy string) Finding {
	return Finding{Path: t.File, Line: t.Line, Test: t.ID, Seen: seen, Remedy: remedy}
}

// note is such a finding that is no reason to refuse.
func note(t Test, seen, remedy string) Finding {
	f := about(t, seen, remedy)
	f.Note = true
	return f
}

// where is the place of a finding; empty if it has none.
func (f Finding) where() string {
	at := f.Path
	if at != "" && f.Line > 0 {
		at = fmt.Sprintf("%s:%d", f.Path, f.Line)
	}
	return strings.Join(slices.DeleteFunc([]string{at, f.Test}, func(part string) bool { return part == "" }), ", ")
}

// String is the finding in one line.
func (f Finding) String() string {
	text := f.Gate + ": "
	if where := f.where(); where != "" {
		text += where + ": "
	}
	return text + f.Seen + f.Mutant.lines() + " → " + f.Remedy
}

// Shown is the finding in one line, and below it the small error as a diff: the line as
// it is, and as it was made.
func (f Finding) Shown() string {
	at, m := f.where(), f.Mutant
	f.Mutant = Mutant{}
	return f.String() + m.diff(at)
}

// Verdict is the answer of all gates to one case.
type Verdict struct {
	Findings []Finding `json:"findings"`
	// Notes say what a gate could not tell about a case without findings.
	Notes []Finding `json:"notes,omitempty"`
	// Judged is false if a run did not finish: then the case is neither
	// accepted nor refused.
	Judged bool `json:"judged"`
}

// Accepted reports whether no gate objects.
func (v Verdict) Accepted() bool { return v.Judged && len(v.Findings) == 0 }

// Add adds what was found of a part of the case.
func (v *Verdict) Add(part Verdict) {
	v.Findings = Union(v.Findings, part.Findings)
	v.Judged = v.Judged && part.Judged
	if v.Notes = append(v.Notes, part.Notes...); len(v.Findings) > 0 {
		v.Notes = nil
	}
}

// Enforcement says what becomes of a commit that a gate would refuse.
type Enforcement string

// The enforcements.
const (
	EnforceRefuse Enforcement = "refuse"
	EnforceTell   Enforcement = "tell" // it is let through, with a line that says so
)

// EnforceDefault is the entry of [Policy.Enforce] for the gates that have none.
const EnforceDefault = "default"

// KeyTold is the trailer of a commit that was let through: the gates that would have
// refused it, or [ToldUnjudged] if nothing could be judged.
const (
	KeyTold      = "Tdd-Told"
	ToldUnjudged = "unjudged"
)

// EnforceMutants is the entry for small errors in what a green adds that no test notices.
// Unlike a gate's it is [EnforceTell] unless the policy names it.
const EnforceMutants = "mutants"

// RefusesMutants reports whether a green is refused for what no test notices in it.
func (p Policy) RefusesMutants() bool { return p.Enforce[EnforceMutants] == EnforceRefuse }

// Tells reports whether the policy lets through what a gate would refuse.
func (p Policy) Tells(gate string) bool {
	return cmp.Or(p.Enforce[gate], p.Enforce[EnforceDefault]) == EnforceTell
}

// Telling lists the gates that only tell.
func (p Policy) Telling() []string {
	return slices.DeleteFunc(Each(All(), Gate.name), func(name string) bool { return !p.Tells(name) })
}

// Tolerates reports whether the policy lets commits through that cannot be judged.
func (p Policy) Tolerates(v Verdict) bool {
	return !v.Judged && p.Tells(EnforceDefault) && !slices.ContainsFunc(v.Findings, func(f Finding) bool { return !f.Unjudged })
}

// Enforced is a verdict in which everything that the policy only tells is a note. What
// could not be judged stays, and so does an agent's change to the rules.
func (v Verdict) Enforced(c *Case) Verdict {
	var refused, told []Finding
	for _, f := range v.Findings {
		if f.Unjudged || !c.Policy.Tells(f.Gate) || c.Agent && IsPolicy(f.Path) {
			refused = append(refused, f)
			continue
		}
		f.Note, f.Told = true, true
		told = append(told, f)
	}
	if v.Findings = refused; len(refused) == 0 {
		v.Notes = append(told, v.Notes...)
	}
	return v
}

// Told lists the gates that would have refused, each once.
func (v Verdict) Told() []string {
	told := slices.DeleteFunc(slices.Clone(v.Notes), func(f Finding) bool { return !f.Told })
	return Union(nil, Each(told, func(f Finding) string { return f.Gate }))
}

// LeavesRed reports whether a test fails after the commit that was not known to fail
// before it.
func (c *Case) LeavesRed() bool { return c.After.redBut(c.Known()) }

// Tell says findings in lines, one for each cause: what was seen in several places
// alike, and is mended alike, is one line.
func Tell(findings []Finding) []string {
	const most = 4 // places of one cause that are named
	var lines []string
	for i, f := range findings {
		alike := func(g Finding) bool {
			return g.Gate == f.Gate && g.Seen == f.Seen && g.Remedy == f.Remedy && g.Mutant == f.Mutant
		}
		if slices.ContainsFunc(findings[:i], alike) {
			continue
		}
		var where []string
		for _, g := range findings[i:] {
			if at := g.where(); at != "" && alike(g) && !slices.Contains(where, at) {
				where = append(where, at)
			}
		}
		if len(where) < 2 {
			lines = append(lines, f.Shown())
			continue
		}
		text := strings.Join(where[:min(len(where), most)], "; ")
		if more := len(where) - most; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		lines = append(lines, f.Gate+": "+text+": "+f.Seen+" → "+f.Remedy)
	}
	return lines
}
