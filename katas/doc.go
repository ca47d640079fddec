// Package katas holds what `git tdd init` and `git tdd demo` start from: sample
// katas, the acceptance criteria of any kata, and empty projects in which to
// work on one.
//
// The words:
//
//   - A [Kata] is a small exercise, written in Markdown: a goal, rules with
//     examples, and acceptance criteria.
//   - A [Criterion] is one point of the numbered list under the heading
//     "Acceptance criteria". One or two tests can show that it holds. A run is
//     done when every criterion is covered, so the list is what "done" means.
//   - A scaffold is the set of files of an empty project in one language. It
//     builds, has no tests yet, and passes that language's formatter and linter
//     without a network.
//
// The criteria of a sample kata go from the simplest to the hardest, and each
// requires something that the previous ones do not, so that a strict
// red-green-refactor run can take them one by one and see red every time.
//
//	kata, err := katas.Find("bowling")
//	for _, c := range kata.Criteria {
//		fmt.Fprintln(w, c.ID, c.Text)
//	}
//	files, err := katas.Scaffold("rust", "bowling game") // crate bowling_game
package katas
