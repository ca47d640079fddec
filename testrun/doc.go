// Package testrun runs a project's own commands in a directory, contained, and
// reads what they show into [gates.Facts]. It also holds what git-tdd knows of
// each programming language.
//
// # Words
//
//   - A command is an argument vector from the configuration: fmt, check, test.
//   - A [Language] is data (markers, default commands, rules that say what a
//     path is for) plus, where somebody wrote them, the functions that read its
//     sources and the reports of its runner. One file a language.
//   - The workbench is [Request].Dir: an exported tree that may be written to.
//   - Scratch is a private directory beside it: temporary files, reports.
//   - The box is the process that a command runs under. Nothing that the command
//     started survives the box, and the box does not survive git-tdd.
//
// # Results
//
// [Measure] runs the check, then the tests. What the project does wrong is a
// fact and no error: an error means that the context was cancelled or that our
// own machinery failed.
//
// Passed needs proof. A runner must have said which tests it would run, each of
// them must have been started and have exactly one verdict, the runner's end
// marker must be there and the exit code must agree. Where two verdicts on one
// test disagree, the failure counts. Output that only looks like the runner's
// is not believed.
//
// Any runner that writes JUnit XML or TAP can be read per test, too: see
// [Report]. A language without a reader, or a command that its reader does not
// know, is judged by exit code alone, and the facts say so:
// [gates.DetailExitCode].
//
// # Test ids
//
// Rust: "<target>::<path>" for an integration test, "lib::<path>" for a unit
// test of the library, "bin.<name>::<path>" for one of a binary,
// "example.<name>::…" and "bench.<name>::…" likewise, "doc::<file> - <item> (n)"
// for the n-th documentation test of an item; a target without the standard
// harness is one test named after the target. With more than one package each
// is preceded by "<package>/".
//
// Go: "<import path>.<Test>/<subtest>". A test that has subtests is listed as
// well as each subtest; where it failed only by its subtests its message begins
// with "subtests failed:" and its class is the worst of theirs.
//
// Python: "<file>::<class>::<test>[<parameters>]", with unittest as with pytest.
// Parts of a test (sub-tests) have no id of their own: where one fails the test
// does.
//
// JavaScript and TypeScript: "<file>::<suite>::<test>", in node's runner as in
// Vitest and Jest; a second test of the same name is "…#2".
//
// Ruby: "<file>::<class>::<method>", or with titles "<file>::<group>::<title>",
// without the ordinal that minitest puts before a title. An example of RSpec
// without a title is "(n)", the n-th of its group.
//
// PHP: "<file>::<class>::<method>", with PHPUnit's words for a data set; "<file>"
// for a .phpt.
//
// Shell: "<file>::<test>".
//
// Java: "<class>::<method>", with surefire's "(<types>)[n]" or Gradle's words for
// a case of it; what fails before the first test of a class is named by the
// class. Of two of one name in two modules the second is "…#2".
//
// C and C++: "<program>::<Suite>.<Test>" with GoogleTest, "/<n>" being a case of
// it and never its printed value; "<program>::<title>" with Catch2; for any other
// test the name that CTest has for it.
//
// # Use
//
//	lang, _ := testrun.ByName("go")
//	result, err := testrun.Measure(ctx, testrun.Request{
//		Dir: workbench, Scratch: scratch, Language: lang,
//		Commands: lang.Defaults, Environ: os.Environ(),
//	})
package testrun
