// Package matrix is what `git tdd bench` works from and what it leaves: models ×
// katas × seeds, one run each.
//
// A [Plan] is a matrix file with everything that it names, read once: texts of
// katas, settings, recordings, hidden tests. Each [Run] of it has a name
// ("bowling/small/seed-2"), and a digest of all that it depends on. A [Store] is
// the folder that keeps the results: one folder a run, claimed by a lock while
// somebody works in it, complete when its result file is there, which is written
// atomically. A run that was cut off has none, and is begun again; a result whose
// digest differs belongs to another matrix, and is an error.
//
//	plan, err := matrix.Load("katas.yaml", bundled)
//	store := matrix.Store{Root: "katas.results"}
//	for _, run := range plan.Runs {
//		result, done, err := store.Find(run)
//		…
//	}
//	err = matrix.WritePage(w, matrix.Sums(results))
//
// The package runs nothing and judges nothing: who carries out a run fills in its
// [Result].
package matrix
