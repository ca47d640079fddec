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
