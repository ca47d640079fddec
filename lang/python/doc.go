// Package python is what git-tdd knows of Python: how a project is recognised,
// how pytest and unittest are read, what their exceptions mean, and what a test
// file declares and expects. [Language] is all that other packages use.
//
// # How a run is read
//
// Reporters of ours, in the folder reporters, write a journal from inside each
// test process. pytest loads one as a plugin, whatever starts pytest; in a command
// that calls unittest, our driver takes its place. A command that starts neither
// is judged by its exit code. Compiled files of earlier runs are removed first,
// because Python may take those of another tree for its own.
//
// What an exception means depends on where it was raised. A NameError in a test is
// a symbol that nobody has written yet; in production code it is an exception. A
// module that cannot be imported is the project's own, or a library that is not
// installed: Python does not say which, so the tree and its manifests must.
//
// # Test ids
//
// "<file>::<class>::<test>[<parameters>]", with unittest as with pytest. Parts of
// a test (sub-tests) have no id of their own: where one fails, the test does.
//
// docs/adding-a-language.md describes journals, and the versions that were tried.
package python
