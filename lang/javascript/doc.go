// Package javascript is what git-tdd knows of JavaScript and TypeScript: how a
// project is recognised, how node's test runner, Vitest, Jest and the TypeScript
// compiler are read, what errors mean, and what a test file declares and expects.
// [Language] and [TypeScript] are all that other packages use.
//
// # How a run is read
//
// Reporters of ours, in the folder reporters, write a journal. node is given one
// by NODE_OPTIONS, whatever starts it; Vitest, Jest and Mocha by an argument, which
// `npm test` passes on. AVA takes none: its TAP is read. The runner is found in the
// command or, for `npm test` and its kind, in the script that package.json names.
//
// What an error means depends on where it was raised. "x is not defined" in a test
// is a symbol that nobody has written yet; in production code it is an exception.
// Runners and bundlers word the same error differently, and a file that could not
// be loaded may leave nothing but text, so explain.go knows many wordings.
//
// For coverage Vitest and Jest measure by themselves. For node's runner V8 counts
// what each process executed, and cover.go turns its ranges into lines.
//
// # How sources are read
//
// The page of the syntax, in page.go, is what the engine of package syntax knows the
// language by. tests.go finds tests and the rows of their tables, checks.go what they
// check, with expect.go and assert.go for the families of assertions.
//
// # Test ids
//
// "<file>::<suite>::<test>", as any of the runners has them; AVA has no
// suites. A second test of the same name is "…#2".
//
// docs/adding-a-language.md describes journals, and the versions that were tried.
package javascript
