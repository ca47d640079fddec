// Package check is the driver: it gathers a case from the repository, asks the
// gates, and says what they found, for one commit that exists or is about to.
//
// The loop, the hooks and verify all call it, so what a hook accepts verify
// accepts, and what the loop commits passes both. It never asks a model.
//
// # Words
//
//   - Proposal: a commit made or to be made: parent, tree, message, who.
//   - Project: what the parent's tree says about itself: settings, language,
//     commands. A commit is judged by the rules of its parent.
//   - Judgement: the case, the verdict, and the step's trailers.
//
// # Example
//
//	c := check.New(check.Options{Repo: repo, Dirs: dirs, Environ: os.Environ()})
//	defer c.Close()
//	j, err := c.Commit(ctx, "HEAD")
//	fmt.Println(j.Verdict.Accepted())
package check
