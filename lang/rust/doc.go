// Package rust is what git-tdd knows of Rust: how a project is recognised, which
// commands it runs by default, how cargo and its test binaries are read, where
// tests stand inside source files, and what they declare and expect. [Language]
// is all that other packages use.
//
// # How a run is read
//
// Stable toolchains print test results for people only, and what a test prints
// can look the same. So cargo is told, by its environment, to start each test
// binary through a wrapper: a script that asks the binary which tests it has, runs
// it with its results as JSON and in a log file, and leaves all of that in files.
// A test counts as passed where the list, the JSON and the log agree, and a
// binary as finished where its counts and its exit code do, too. This works
// whatever starts cargo, and nextest uses the same wrapper.
//
// What does not compile is read from cargo's own messages. cargo test starts no
// build after one that failed, so git-tdd then builds the rest as well: otherwise
// luck would decide which errors are seen.
//
// rustdoc has no such wrapper. What it prints of documentation tests is parsed.
//
// # How sources are read
//
// A source file is cut into tokens. Items that are compiled for tests only, with
// their attributes and the comment above, are the test part of the file, and the
// rest does not change when they are taken away.
//
// A check is an assertion macro, an if or a match that panics in some arm, a
// #[should_panic], or what is chained to an assertion. Bounds and inequalities are only
// negated, because the type of a number, and so what is far above it, cannot be read
// from it. Documentation tests are not altered.
//
// # Test ids
//
// "<target>::<path>" for an integration test, "lib::<path>" for a unit test of
// the library, "bin.<name>::<path>" for one of a binary, "example.<name>::…" and
// "bench.<name>::…" likewise, "doc::<file> - <item> (n)" for the n-th
// documentation test of an item. A target without the standard harness is one
// test, named after the target. With more than one package each id is preceded by
// "<package>/".
//
// docs/adding-a-language.md has more on cargo and nextest, and on versions.
package rust
