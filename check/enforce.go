package check

import "github.com/git-tdd/git-tdd/gates"

// tell has a commit say what it was let through with. It takes no step if its tests show
// something else than its phase.
func (j *Judgement) tell(p Proposal) {
	told := j.Verdict.Told()
	if j.Tolerated = j.Case.Policy.Tolerates(j.Verdict); j.Tolerated {
		told = []string{gates.ToldUnjudged}
	}
	if len(told) == 0 {
		return
	}
	if j.Tolerated || j.Case.LeavesRed() != (j.Step.Phase == gates.PhaseRed) {
		j.Step = gates.Step{}
	}
	if j.Step.Told = told; p.Compose != nil {
		j.Message = p.Compose(j.Step, j.Case)
	}
}

// policy is what a proposal is judged by.
func (p Proposal) policy(project *Project) gates.Policy {
	policy := project.Settings.Gates
	if p.Strict || p.Derived {
		policy.Enforce = nil
	}
	return policy
}
