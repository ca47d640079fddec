package check

import (
	"time"

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
