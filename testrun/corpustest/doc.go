// Package corpustest tests readers of test runners, with small projects.
//
// [Run] tests a package against its corpus, in the folder testdata/corpus beside the
// test. Each of its files, RUNNER/CASE.txtar, holds a project, the facts that are
// true of it, written by hand, and what the runner really said of it, recorded. A
// package needs one test for all of them:
//
//	func TestCorpus(t *testing.T) {
//		t.Parallel()
//		corpustest.Run(t, Language())
//	}
//
// It plays the recordings, so that it needs no toolchain and takes seconds. The
// environment asks for more:
//
//	TDD_CORPUS=live     run the projects with their real runners, too
//	TDD_CORPUS_PART=3   a third of them
//	TDD_CORPUS=record   do so, and replace the recordings by what the runners say
//	TDD_NODE_MODULES    a node_modules folder, for runners that are packages of npm
//
// docs/adding-a-language.md explains the files, and how to add one.
//
// The rest helps tests that need a project of their own: [Project] writes one,
// [Measure] and [Cover] run its commands for real, and [Tests], [Diagnostics] and
// [Coverage] write what they show as texts, which [Want] compares. [Need] skips such
// a test where a tool is missing.
package corpustest
