package hooks

import (
	"slices"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
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

// Brings reports whether a refused commit brings tests and code together, where no red
// asks for the code.
func (a Answer) Brings() bool {
	k := a.Judgement.Case
	return k != nil && k.Plays == gates.Implementor && !k.OnRed() && slices.ContainsFunc(k.Change.Files, gates.FileChange.TouchesTest)
}
