// Package cpp is what git-tdd knows of C and C++ built by CMake: how a project is
// recognised, how CMake, compilers, linkers, CTest, GoogleTest and Catch2 are read,
// and what a test file declares and expects. [Language] is all that other packages
// use.
//
// # How a run is read
//
// CTest builds nothing, and tests of an older build prove nothing. So git-tdd runs
// four commands: configure, build, list the tests, test. What compilers and linkers
// print is read for errors. A name that a test asks for and nobody declares, or
// nobody defines, is a missing symbol.
//
// CTest goes by exit codes; a test that exits early with 0 passes. So a look into
// each test program tells which framework it was made with. A process of
// GoogleTest must have written its JSON report, one of Catch2 its summary. Any
// other program is judged by CTest's word.
//
// Of a command that is not CTest only what does not compile is read. Its exit code
// decides about the rest.
//
// # Test ids
//
// "<program>::<Suite>.<Test>" with GoogleTest, "/<n>" being a case of it and never
// its printed value; "<program>::<title>" with Catch2; for any other test the name
// that CTest has for it.
//
// docs/adding-a-language.md has more on C and C++, and the versions that were tried.
package cpp
