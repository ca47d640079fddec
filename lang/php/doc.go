// Package php is what git-tdd knows of PHP: how a project is recognised, how
// PHPUnit is read, what its exceptions mean, and what a test file declares and
// expects. [Language] is all that other packages use.
//
// # How a run is read
//
// Reporters of ours, in the folder reporters, write a journal. One more folder of
// settings makes every PHP that the test command starts load them, so that
// `composer test` and PHPUnit's archive are read as well. A run of PHPUnit that
// left no journal is no fact; any other command without one is judged by its exit
// code. A file that PHP cannot load may end the run before any test: that error is
// found in the output, which no test can have printed.
//
// What an exception means depends on where it was raised. An undefined method that
// a test calls is a symbol that nobody has written yet; one that production code
// calls is an exception. A class in a namespace that composer.json does not call
// the project's own is a library's.
//
// # Test ids
//
// "<file>::<class>::<method>", with PHPUnit's words for a data set; "<file>" for a
// .phpt.
//
// docs/adding-a-language.md has more on PHP, on journals and on versions.
package php
