// Package agenthook holds coding agents to the rules while they work: it writes
// the hooks that they read in a repository, and answers when they call.
//
// # Words
//
//   - Preset: what is known of one agent, as data; see package presets.
//   - Site: a working tree with the files that agents read. They belong to
//     somebody else, so they are edited as text, and what cannot be edited
//     safely is left alone with a remedy.
//   - Call: what an agent asks, in the terms of all of them: files that a tool
//     is about to write, a command that a shell is to run, or the end of a turn.
//   - Answer: go on; not this tool, because; not yet, because.
//   - Dodge: a way around the rules that a shell command shows in its own words. What
//     another program, an alias or a pipe into a shell would run is not followed.
//
// An answer is a courtesy. It measures nothing, asks only what may be touched and what is on
// record, and where anything fails the agent goes on: trees are judged by git's hooks and by
// verify, not tool calls. An agent that hides what it does from its hooks gains nothing, because
// its commits are judged all the same.
//
// # Example
//
//	changes, err := agenthook.Site{Top: repo.Top}.Install(named)
//
//	call, err := agenthook.Parse(preset, stdin)
//	answer, err := agenthook.Judge{Repo: repo, Checker: checker}.Answer(ctx, preset.Name, call)
//	fmt.Println(answer.Deny)
package agenthook
