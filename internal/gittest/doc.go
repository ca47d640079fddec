// Package gittest gives tests a git repository, files, and the tools of this
// machine. What fails in it fails the test, so that a test says only what it is
// about. Only tests import it. It imports nothing of this module, so that the
// tests of every package can use it, those inside gitx too.
//
// # Words
//
//   - Repo: a user's repository in a temporary folder. Its branch is main, and
//     the user's configuration holds a name and little else: nothing that this
//     machine has set for git applies.
//   - Files: what a folder or a tree holds, by path.
//   - Missing: where a tool is missing, a test is skipped on a person's machine
//     and fails in CI.
//
// A Repo embeds the test that it belongs to, so its methods need no t. A package
// embeds it in a lab of its own and adds only what is particular to the package.
// A subtest takes the repository of its parent by [Repo.For].
//
// # Example
//
//	func TestCalc(t *testing.T) {
//		gittest.Need(t, "go")
//		r := gittest.New(t)
//		r.Write("calc.go", "package calc\n")
//		first := r.Commit("chore: start")
//		tree := r.Tree(gittest.Files{"run.sh*": "#!/bin/sh\n", "link@": "run.sh"})
//		second := gittest.CommitTree(r, "feat: a script\n", tree, first)
//		r.Git("diff", first, second)
//	}
package gittest
