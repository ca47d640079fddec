// Package presets is what git-tdd knows of coding agents, as data: one file an
// agent below data. How their hooks are written and answered changes with every
// other release of theirs; then one of these files changes, and no code.
//
// # Words
//
//   - Preset: one agent's file.
//   - Placed: what an agent reads in a repository, and what of it is ours: elements
//     added to its JSON, a marked block of lines, or the whole file.
//   - Run: how it takes a step for a role, without a person.
//   - Answer: what a hook prints, in the agent's own form.
//
// # Example
//
//	p, err := presets.ByName("claude")
//	fmt.Println(p.Files[0].Path) // .claude/settings.json
package presets
