// Package journal reads what our reporters write while a project's tests run.
//
// A reporter is a small file in the language of the project that its test runner
// loads, by an option or by the environment. It writes a journal: one file for each
// process, one JSON object a line, an [Event] each. Reporters only say what happened;
// what it means is decided here and in the language's package, because the same
// exception is a missing symbol in a test and a mere exception in production code.
//
// A language with a reporter does this:
//
//  1. [Keep] writes its reporters to a private folder, runs the test command
//     with [Variable] in its environment, which tells reporters where to write, and with
//     whatever makes the runner load them, and gathers the journals of all processes into
//     one [Journal] ([Read]).
//  2. [Run.Verdict] turns that into a verdict; its Explain says what something that
//     was raised means. Where no journal was written, [NoReport] judges a command
//     that should have written one, and [ByExitCode] any other.
//
// Nothing is believed without proof: every test that was planned has been started
// and has a verdict, every process has written its end, and the exit code agrees.
// What is missing is told by [Journal.Gaps], and the run has crashed then.
//
// docs/adding-a-language.md lists the events.
package journal
