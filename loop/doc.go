// Package loop takes steps: whose turn it is, what its model proposes, whether
// the gates accept it, and the one commit that follows. Many steps are a run.
//
// Everything is decided by the history and by facts. A step that is refused,
// interrupted or killed leaves the branch, the index and the user's files as
// they were; one that is accepted is one commit.
//
// # Words
//
//   - Step: one role's turn. Attempt: one try of it; each starts from HEAD's
//     tree, with what the last one was refused for.
//   - Position, turn, brief, plan, proposal, candidate, verdict: what the phases
//     of a step return, in this order. Each is made from those before it.
//   - Prompt: what a role is shown, no longer than llm.max_context and without
//     secrets. A file that was not shown cannot be overwritten.
//   - Dirt: the user's uncommitted work. It is off limits, and looked for before
//     a model is asked and again before anything is measured.
//   - Journal: plans and logs below .tdd/, for people. Nothing depends on it.
//   - StopError: why a run or a step ended without going on. Every stop has a name.
//   - Listener: who is told what happens; it never decides anything.
//
// # Example
//
//	l := loop.New(loop.Options{Repo: repo, Checker: checker, Client: client, …})
//	done, err := l.Step(ctx)
//	var stop *loop.StopError
//	if errors.As(err, &stop) { … }
package loop
