// Package shell is what git-tdd knows of shell scripts tested with bats: how a
// project is recognised, how bats is read, what its failures mean, and what a test
// file declares and expects. [Language] is all that other packages use.
//
// # How a run is read
//
// bats runs with a formatter of ours, which keeps what bats tells a formatter: how
// many tests there are, which file it is in, and how each test begins and ends. A
// passing run needs a verdict on each test, and a mention of each file with tests
// that the command names. Any command but bats is judged by its exit code.
//
// bats explains a failure in words, with the place in brackets. A command that a
// test does not find is a symbol that nobody has written yet, unless it is a tool
// that everybody knows; one that production code does not find is an exception.
//
// # Test ids
//
// "<file>::<test>"; a second test of the same name is "…#2".
//
// docs/adding-a-language.md has more on bats, and the versions that were tried.
package shell
