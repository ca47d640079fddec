// Package loop takes steps: it finds whose turn it is, asks the model for a
// proposal, asks the gates, and makes one commit. Many steps are a run.
//
// Only the history and facts decide. A step that is refused, interrupted or
// killed leaves the branch, the index and the user's files as they were; an
// accepted one is one commit.
//
// # Words
//
//   - Step: one role's turn. Attempt: one try at it; each starts from HEAD's
//     tree, knowing why the last one was refused.
//   - Position, turn, brief, plan, proposal, candidate, verdict: what the
//     phases of a step return, in this order. Each is made from the ones before
//     it.
//   - Prompt: what a role is shown, no longer than llm.max_context and without
//     secrets. A file that was not shown cannot be overwritten. A step is one
//     conversation: what it opens with is chosen once.
//   - Dirt: the user's uncommitted work. It is off limits; the loop looks for
//     it before it asks a model and again before it measures anything.
//   - Journal: plans and logs below .tdd/, for people. Nothing depends on it.
//   - StopError: why a run or a step ended without going on. Every stop has a name.
//   - Listener: is told what happens, and decides nothing.
//
// # Example
//
//	l := loop.New(loop.Options{Repo: repo, Checker: checker, Client: client, …})
//	done, err := l.Step(ctx)
//	var stop *loop.StopError
//	if errors.As(err, &stop) { … }
package loop
