package check

import (
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
)

func (j *Judgement) reds() (reds []gates.Red) {
	if j.Case.Plays == gates.Tester && j.Case.Special != gates.Characterization && j.Case.After.Finished() {
		reds, _ = gates.Reds(j.Case)
	}
	return reds
}

// compose writes the step and the message from what is known so far.
func (j *Judgement) compose(p Proposal, reds []gates.Red) {
	k := j.Case
	j.Message = p.Message
	if k.Plays != "" {
		j.Step = k.Next()
		j.Step.Outcome = k.Special
		j.tests(reds)
		if k.After.Outcome != "" {
			j.Step.Tests = gates.TestsText(k.After)
		}
		if p.Add != nil {
			p.Add(&j.Step)
		}
	}
	if p.Compose != nil {
		j.Message = p.Compose(j.Step, k)
		k.Message = commitmsg.Parse(j.Message)
	}
}

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
