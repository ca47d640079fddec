// Package gittest gives a test files, a git repository and the tools of this
// machine, and says by itself when one of them fails. Only tests import it, and
// it imports nothing of this module, so that every package's tests can.
//
// # Words
//
//   - Repo: a user's repository in a folder that goes with the test: a working
//     tree on branch main, and a home with git's configuration, in which nothing
//     stands but the user's name. Nothing of this machine's git applies.
//   - Files: what a folder or a tree holds, by path.
//   - Missing: a test that lacks a tool is skipped on a person's machine and
//     fails in CI.
//
// A Repo is the test that it belongs to, so that its methods need no t and fail
// that test. A package's own laboratory embeds it and adds what only this package
// needs. A subtest that uses the repository of its parent takes it by [Repo.For].
//
// # Example
//
//	func TestDouble(t *testing.T) {
//		gittest.Need(t, "go")
//		r := gittest.New(t)
//		r.Write("calc.go", "package calc\n")
//		first := r.Commit("chore: start")
//		tree := r.Tree(gittest.Files{"run.sh*": "#!/bin/sh\n", "link@": "run.sh"})
//		second := gittest.CommitTree(r, "feat: a script\n", tree, first)
//		…
//	}
package gittest
