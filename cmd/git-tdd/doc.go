// Command git-tdd is the git subcommand `git tdd`: it drives language-model
// agents through strict red-green-refactor, one commit a step, and guards
// people's commits by the same rules.
//
// This package owns flags, wiring, what a person sees, and exit codes. What a
// person is told follows four rules: results go to standard output, all else to
// standard error; an error says what was seen, where, and what to do next;
// nothing that a model, a repository or a test said reaches the terminal
// unescaped; a pipe gets plain lines.
package main
