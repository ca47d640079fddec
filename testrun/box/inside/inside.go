// Package inside is what runs in a box: see [github.com/git-tdd/git-tdd/testrun/box].
//
// It takes over a process that was started to be a box, before the program's main
// and most of its packages: a third of the start would be theirs. Go initialises
// packages in the order of their paths, each after those it imports: one import of
// fmt or strings would put half the program before this one.
package inside

// The tiers of containment that a box can be started for.
const (
	Namespace = "namespace" // the first process of a namespace: what it leaves, the kernel ends
	Reaper    = "subreaper" // who gets the orphans: what it leaves, it hunts down
)
