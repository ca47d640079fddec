package hooks

import (
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gitx"
)

// Proposal is a commit as commit-msg judges it: accepted, its message carries the
// trailers of its step.
func Proposal(parent, tree gitx.ID, message string) check.Proposal {
	p := proposal(tree, message)
	p.Parent = parent
	return p
}

// Without is a message without the trailers with these names.
func Without(message string, keys ...string) string { return without(message, keys...) }

// Mixed reports whether a refused commit brings tests and code together, where those are
// steps of their own.
func (a Answer) Mixed() bool {
	return a.Judgement.Case != nil && !a.Judgement.Case.Cycle && a.Judgement.Case.Mixed()
}
