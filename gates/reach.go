package gates

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
	switch {
	case k == KindConfig:
		return ReachNone
	case plays == Tester:
		return p.testerReach(k, inline)
	case plays == Implementor && isTesting(k):
		return ReachNone
	case plays == Implementor && k == KindSource && inline:
		return ReachSources
	case plays == Refactorer && k == KindSupport:
		return ReachHelpers
	}
	return ReachAll
}

func (p Policy) testerReach(k Kind, inline bool) Reach {
	switch {
	case isTesting(k):
		return ReachAll
	case k != KindSource:
		return ReachNone
	case p.Stubs == Allow:
		return ReachAdditions
	case inline:
		return ReachTests
	}
	return ReachNone
}
