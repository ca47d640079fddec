package gates

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
