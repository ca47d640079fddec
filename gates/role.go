package gates

import "slices"

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
	for _, r := range []Role{Tester, Implementor, Refactorer} {
		if slices.Contains(TypesOf(r), conventional) {
			return r
		}
	}
	return ""
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
