// Package models compares models: each on each kata, several times. It is
// `go run ./bench models`, and docs/bench.md is for people who run it.
//
// A [Plan] is a matrix file with everything that it names, read once: texts of
// katas, settings, recordings, hidden tests. Each [Run] of it has a name
// ("bowling/small/seed-2"), and a digest of all that it depends on. A [Store] is
// the folder that keeps the results: one folder a run, claimed by a lock while
// it is carried out, complete when its result file is there, which is written
// atomically. A run that was cut off has none, and is begun again; a result whose
// digest differs belongs to another matrix, and is an error.
//
//	plan, err := models.Load("katas.yaml", 0)
//	store := models.Store{Root: "katas.results"}
//	for _, run := range plan.Runs {
//		result, done, err := store.Find(run)
//		…
//	}
//	err = models.WritePage(w, models.Sums(results))
//
// A run is carried out by the git-tdd on PATH, from the outside: init, run, status,
// facts and verify, as a person would call them.
package models
