// Package coder lets a coding agent (Claude Code, Codex, any command) take a
// role's step. To the loop it is a client like a model's: it gets the prompt, and
// its answer is an edit plan. In between, the agent works in a private copy of
// the tree, and what it left there is the plan.
//
// # Words
//
//   - Copy: a repository of its own with one commit, no remotes and no hooks. A
//     refused attempt goes on in it, in the same session where the agent has
//     sessions; another HEAD gets another copy.
//   - Says: what is read of the agent's output: its last words, its session, what
//     it used, whether it failed.
//   - Host: what an agent of the Agent Client Protocol works with while its turn lasts,
//     the files of the copy and terminals in it.
//
// Nothing the agent says about the files counts; they are read. It runs in the
// box in which tests run, so that nothing of it outlives its turn, with the variables
// that its preset or the settings name. Within walls ([Fence]) it finds its copy, its
// program, toolchains and its own settings; without, a home of its own that leads to
// those.
//
// # Example
//
//	c, err := coder.New(coder.Options{Repo: repo, Agent: role.Agent, Dir: cache, …})
//	answer, err := c.Complete(ctx, llm.Request{Messages: prompt})
//	fmt.Println(answer.Text) // {"edits":[…],"notes":"…"}
package coder
