package gates

import "slices"

// PaceMode says whether one commit may bring a failing test and what makes it pass.
type PaceMode string

// The paces.
const (
	PaceSteps  PaceMode = "steps"
	PaceCycles PaceMode = "cycles"
)

// Mixed reports whether a commit brings tests and code together where no red asks for
// the code.
func (c *Premise) Mixed() bool {
	some := func(has func(FileChange) bool) bool { return slices.ContainsFunc(c.Change.Files, has) }
	return c.Plays == Implementor && c.Special == Ordinary && !c.OnRed() && some(FileChange.TouchesTest) && some(FileChange.touchesSource)
}

// Answers reports whether the step made a red pass.
func (s Step) Answers() bool {
	return s.Outcome == Ordinary && (s.Phase == PhaseGreen || s.Phase == PhaseCycle)
}

// Withdraws reports whether the step took a disputed test back.
func (s Step) Withdraws() bool {
	return s.Outcome == Disputed && s.Phase == PhaseGreen && len(s.Acceptance) == 0
}

// Together is the next step after this position if a role brings red and green in one.
func (p Position) Together(role Role) Step {
	s := p.Following(role, Tester)
	s.Phase = PhaseCycle
	return s
}
