package gates

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Role is who makes a step.
type Role string

// The three roles of the default rotation. A custom role plays one of them, or has
// rules of its own ([Keeper]).
const (
	Tester      Role = "tester"
	Implementor Role = "implementor"
	Refactorer  Role = "refactorer"
)

// Phase is the colour of a step.
type Phase string

// The phases of a cycle.
const (
	PhaseRed      Phase = "red"
	PhaseGreen    Phase = "green"
	PhaseRefactor Phase = "refactor"
	PhaseCycle    Phase = "cycle" // red and green in one commit
)

// Phase is the phase to which a step of this rulebook belongs; empty for any other
// role's name.
func (r Role) Phase() Phase {
	return map[Role]Phase{Tester: PhaseRed, Implementor: PhaseGreen, Refactorer: PhaseRefactor, Keeper: PhaseKeep}[r]
}

// TypesOf lists the conventional types of a role's commits, the usual one first;
// none of a [Keeper], whose rules say so.
func TypesOf(plays Role) []string {
	return map[Role][]string{Tester: {"test"}, Implementor: {"feat", "fix"}, Refactorer: {"refactor", "perf"}}[plays]
}

// RoleOf is the role to which a conventional type belongs; empty for a type
// outside the loop.
func RoleOf(conventional string) Role {
	r, _ := Find([]Role{Tester, Implementor, Refactorer}, func(r Role) bool { return slices.Contains(TypesOf(r), conventional) })
	return r
}

// Reach says how much of the files of one kind a role may change.
type Reach string

// How far a role's hands reach.
const (
	ReachAll       Reach = "all"
	ReachTests     Reach = "tests"     // the tests inside, nothing else
	ReachSources   Reach = "sources"   // everything but the tests inside
	ReachAdditions Reach = "additions" // new lines, as stubs
	ReachHelpers   Reach = "helpers"   // code, but no snapshot and no test data
	ReachNone      Reach = "none"
)

// Reach is what the scope gate lets a role do to files of a kind, for whoever
// wants to know before there is a change. inline says that sources of this
// language may hold tests.
func (p Policy) Reach(plays Role, k Kind, inline bool) Reach {
	testing, source := isTesting(k), k == KindSource
	switch {
	case k == KindConfig, plays == Implementor && testing:
		return ReachNone
	case plays == Implementor && source && inline:
		return ReachSources
	case plays == Tester && source && p.Stubs == Allow:
		return ReachAdditions
	case plays == Tester && source && inline:
		return ReachTests
	case plays == Tester && !testing:
		return ReachNone
	case plays == Refactorer && k == KindSupport:
		return ReachHelpers
	}
	return ReachAll
}

// Keeper is the rulebook of a role that is none of the three, and that a project
// describes by data: it changes paths of its own on green, and keeps what is
// measured. It is no role's name.
const Keeper Role = "keeper"

// PhaseKeep is the phase of such a role's step.
const PhaseKeep Phase = "keep"

// Keeping names the gate that judges what a keeper does.
type Keeping string

// The gates that can judge a role by themselves.
const (
	KeepsGreen Keeping = "stay-green" // neither sources nor tests change
	KeepsTests Keeping = "same-tests" // as in a refactoring
)

// Rules are those of a role that is none of the three. The zero value is none.
type Rules struct {
	Type  string   // of its commits; no other role has it
	Paths []string // doublestar patterns of what it may change, and of nothing else
	Gate  Keeping
}

// BuiltIn reports whether a role is one of the three of the default rotation.
func (r Role) BuiltIn() bool { return r == Tester || r == Implementor || r == Refactorer }

// Covers reports whether a role with these rules may change a path.
func (r Rules) Covers(path string) bool {
	return slices.ContainsFunc(r.Paths, func(pattern string) bool { return doublestar.MatchUnvalidated(pattern, path) })
}

// Reach is what the scope gate lets a role with these rules do to a file.
func (r Rules) Reach(path string, k Kind) Reach {
	if !r.Covers(path) {
		return ReachNone
	}
	return r.Kind(k)
}

// Kind is likewise for its files of a kind.
func (r Rules) Kind(k Kind) Reach {
	switch code := k == KindSource || isTesting(k); {
	case k == KindConfig, r.Gate == KeepsGreen && code:
		return ReachNone
	case k == KindSupport:
		return ReachHelpers
	}
	return ReachAll
}

// Expected is what the role is expected to do, in the form of the message that it
// will write.
func (r Rules) Expected() string {
	return fmt.Sprintf("%s: … in %s, that keeps every test, or test: … right away", r.Type, strings.Join(r.Paths, ", "))
}

// Preserves reports whether the case is held to the same tests before and after.
func (c *Premise) Preserves() bool {
	return c.Plays == Refactorer || c.Plays == Keeper && c.Rules.Gate == KeepsTests
}

// keeperScope holds a role to its paths. Where tests cannot show that a change keeps
// what the code does, it keeps away from code.
func keeperScope(c *Premise, f FileChange) (seen, remedy string) {
	for _, side := range f.Sides() {
		switch {
		case !c.Rules.Covers(side.Path):
			return fmt.Sprintf("the %s changes what is none of its paths (%s)", cmp.Or(c.Role, c.FixupOf), strings.Join(c.Rules.Paths, ", ")),
				"leave this file as it was"
		case c.Rules.Gate == KeepsGreen && (side.Kind == KindSource || isTesting(side.Kind)):
			return fmt.Sprintf("the %s changes code (%s), which %s does not judge", cmp.Or(c.Role, c.FixupOf), side.Kind, KeepsGreen),
				fmt.Sprintf("leave this file as it was; a role that works on code is judged by gate: %s", KeepsTests)
		}
	}
	return expectationChange(f)
}

// kept holds what a keeper says of its step against what it did.
func kept(c *Case) []Finding {
	switch {
	case c.Plays != Keeper:
		return nil
	case c.Special == Skipped:
		return append(skipped(&c.Premise), claims(c, nil)...)
	case len(c.Change.Files) == 0:
		return []Finding{{Seen: fmt.Sprintf("the step of the %s changes nothing", c.Role), Remedy: "say so with " + KeyOutcome + ": skipped"}}
	}
	return claims(c, nil)
}
