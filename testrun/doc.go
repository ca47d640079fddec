// Package testrun runs a project's own commands in a directory, contained, and
// reads what they show into [gates.Facts].
//
// # Words
//
//   - A command is an argument vector from the configuration: fmt, check, test.
//   - The workbench is [Request].Dir: an exported tree that may be written to.
//   - Scratch is a private directory beside it: temporary files, reports.
//   - The box is the process that a command runs under (package sandbox). Nothing that
//     the command started survives the box, and the box does not survive git-tdd.
//   - A [Language] is data (markers, default commands, rules that say what a path is
//     for) plus functions that read its sources and the reports of its runner.
//   - A [Reader] is such a function: it runs the test command in a [Session] and
//     returns a [Verdict].
//
// # What is run
//
// [Measure] runs the check, then the tests; [Cover] runs the tests with line coverage switched on;
// [Format] formats; [Versions] asks the toolchain what it is. What the project does wrong is a fact
// and no error: an error means that the context was cancelled or that our own machinery failed.
//
// # Proof
//
// Passed needs proof. A runner must have said which tests it would run, each of them must have been
// started and have exactly one verdict, the runner's end marker must be there and the exit code
// must agree. Where two verdicts on one test disagree, the failure counts. Output that only looks
// like the runner's is not believed.
//
// Any runner that writes JUnit XML or TAP can be read per test, too: see [Report]. A language
// without a reader, or a command that its reader does not know, is judged by exit code alone, and
// the facts say so: [gates.DetailExitCode].
//
// # Languages
//
// Each language is a package below lang, whose documentation says what the ids of its
// tests look like; this package knows none but [Generic]. A program hands over those
// that it knows as [Languages]. docs/adding-a-language.md says how to add one. What readers
// share lies beside this package:
//
//   - output: what programs print
//   - scan: outlines of sources in any language
//   - journal: what reporters write that are loaded into a runner
//   - coverage: line coverage
//   - scaffold: empty projects
//   - projecttest: small projects for tests of readers
//
// A reader runs its command with [Session.Run], names files with [Places], and
// concludes with [Reported], or step by step with [Ended.Trouble] and [Conclude].
package testrun
