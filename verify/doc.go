// Package verify proves a history: it judges each commit of a range as if it
// were made now, in parallel on several workbenches, and on one machine or the
// many of a CI matrix.
//
// # Words
//
//   - Range: the commits to judge, along first parents, the oldest first.
//   - Proof: one commit, what it claims, what was seen, and the verdict.
//   - Report: the proofs of a range, or of one shard of it.
//   - Shard: one of n parts of a range. Only merging the reports of all n gives
//     the report of the range.
//
// Verdicts do not depend on the number of jobs, the sharding, or what is on
// record: each commit is judged by itself, against its parent.
//
// # Example
//
//	r, err := verify.Find(ctx, repo, "main..topic")
//	report, err := verify.Run(ctx, verify.Options{Repo: repo, Open: open, Jobs: 2}, r.Commits)
//	fmt.Println(report.Verdict())
package verify
