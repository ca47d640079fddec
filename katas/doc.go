// Package katas holds what `git tdd init` and `git tdd demo` start from: sample
// katas, and the acceptance criteria of any kata.
//
// The words:
//
//   - A kata is a small exercise, written in Markdown: a goal, rules with
//     examples, and acceptance criteria.
//   - A [Criterion] is one point of the list under the heading
//     "Acceptance criteria". One or two tests can show that it holds. A run is
//     done when every criterion is covered, so the list is what "done" means.
//
// The criteria of a sample kata go from the simplest to the hardest, and each
// requires something that the previous ones do not, so that a strict
// red-green-refactor run can take them one by one and see red every time.
//
//	kata, err := katas.Find("bowling")
//	for _, c := range katas.ParseCriteria(kata) {
//		fmt.Fprintln(w, c.ID, c.Text)
//	}
package katas
