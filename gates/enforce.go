package gates

import (
	"cmp"
	"slices"
)

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
func (p Policy) Telling() (names []string) {
	for _, g := range All() {
		if p.Tells(g.Name) {
			names = append(names, g.Name)
		}
	}
	return names
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
func (v Verdict) Told() (names []string) {
	for _, f := range v.Notes {
		if f.Told && !slices.Contains(names, f.Gate) {
			names = append(names, f.Gate)
		}
	}
	return names
}

// LeavesRed reports whether a test fails after the commit that was not known to fail
// before it.
func (c *Case) LeavesRed() bool {
	was := c.Known()
	return c.After.Outcome == Broken || c.After.Detail == DetailExitCode && c.After.Outcome == Failed ||
		slices.ContainsFunc(c.After.With(StatusFailed), func(t Test) bool { return !was[t.ID] })
}
