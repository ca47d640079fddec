// Package golang is what git-tdd knows of Go: how a project is recognised, which
// commands it runs by default, how go test and go vet are read, and what a test
// file declares and expects. [Language] is all that other packages use.
//
// # How a run is read
//
// go test runs with -json. Its events name every test that starts and ends, so a
// test that never ended is noticed. Whatever the code under test prints can look
// like a verdict; a test has passed only if the testing package printed the
// verdict as well. A command that is not go test itself, a Makefile say, gets the
// flag through GOFLAGS.
//
// A panic ends the whole test binary and takes the other tests of its package
// with it. That package runs again without the test that panicked, a few times at
// most, so that the others get a verdict too.
//
// A package that does not compile has no events. Then the compiler's own words
// are read: a name that a test asks for and nobody defines is a missing symbol,
// anything else a compile error, a syntax error, or the environment's fault. The
// check, go vet by default, prints the same words and is read the same way.
//
// # Test ids
//
// "<import path>.<Test>/<subtest>". A test that has subtests is listed as well as
// each subtest; where it failed only by its subtests, its message begins with
// "subtests failed:" and its class is the worst of theirs.
//
// docs/adding-a-language.md tells which versions of Go were tried, and what differs.
package golang
