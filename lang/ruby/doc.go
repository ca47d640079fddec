// Package ruby is what git-tdd knows of Ruby: how a project is recognised, how
// minitest and RSpec are read, what their exceptions mean, and what a test file
// declares and expects. [Language] is all that other packages use.
//
// # How a run is read
//
// Reporters of ours, in the folder reporters, write a journal. RUBYOPT makes every
// Ruby that the test command starts load them, and they look for minitest and
// RSpec as these are defined, so that `rake test` and `bundle exec rspec` are read
// as well. A command that starts neither is judged by its exit code.
//
// What an exception means depends on where it was raised. A NameError in a test is
// a symbol that nobody has written yet; in production code it is an exception. A
// file that cannot be loaded is the project's own unless a gem is known that would
// have it.
//
// # Test ids
//
// "<file>::<class>::<method>", or with titles "<file>::<group>::<title>", without
// the ordinal that minitest puts before a title. An example of RSpec without a
// title is "(n)", the n-th of its group.
//
// docs/adding-a-language.md has more on Ruby, on journals and on versions.
package ruby
