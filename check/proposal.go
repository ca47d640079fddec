package check

import (
	"time"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// Proposal is a commit, made or to be made.
type Proposal struct {
	Parent gitx.ID // commit; empty for a root commit
	Tree   gitx.ID
	Others []gitx.ID // the other parents of a merge
	// Message is the message as it stands. If Compose is set, it is only what
	// Compose starts from.
	Message string
	// Compose writes the message from the step's trailers and the case. It is
	// called before the facts are known, for the gates that need none, and again
	// once Case.After is set. If it is nil, Message is final.
	Compose func(gates.Step, *gates.Case) string
	// Add completes the step's trailers with what only the caller knows: attempts,
	// model, tokens, criteria. It may be nil.
	Add func(*gates.Step)
	// Position is where the history stands, if its trailers do not say so. If it
	// is nil, the trailers are read.
	Position *gates.Position
	// Plain leaves aside what the tests are worth; Brief does so where the commit is
	// refused whatever that shows.
	Plain, Brief bool
	// Strict refuses even what the policy only tells.
	Strict bool
	// Quick holds no tests against small errors: that the old ones and the new ones check
	// as much is taken for granted then, and noted.
	Quick bool
	// Patience is how long they are held against small errors; zero: until all were tried.
	// What there was no time for is taken for granted, and noted.
	Patience time.Duration
	// Derived marks a part of a change that was taken apart, see [Checker.Derive].
	Derived bool
	// Agent marks a model's proposal. An existing commit counts as an agent's if
	// its trailers name a model.
	Agent bool
}

// On is the proposal with these parents.
func (p Proposal) On(parents []gitx.ID) Proposal {
	if len(parents) > 0 {
		p.Parent, p.Others = parents[0], parents[1:]
	}
	return p
}

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
