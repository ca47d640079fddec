// Package prove says of any change, however it was made, what its tests are worth.
//
// Nobody has to have seen a test fail: a red is a tree, and it is derived from the
// change. Its tests are put under the sources of before, and run.
//
// # Words
//
//   - Base: what was there before, with the change's configuration and dependencies.
//   - Derived red: the base with the change's tests, what helps them and their data.
//   - Proven: a test of the change fails without it, for a right reason, and passes
//     with it; no test got weaker, and none passes whatever it expects.
//   - Pinned down: its tests pass without it too, so they say what was there before.
//   - Gap: a line of the change that no test reaches, or a small error in it that no
//     test notices.
//
// What cannot be known is said: who saw the red, and whether the tests ask for what
// somebody wants.
//
// # Example
//
//	change, err := prove.Find(ctx, repo, "main..topic")
//	r, err := prove.Change(ctx, prove.Options{Repo: repo, Checker: checker}, change)
//	fmt.Println(r.Verdict)
package prove
