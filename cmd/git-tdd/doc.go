// Command git-tdd is the git subcommand `git tdd`: it drives language-model
// agents through strict red-green-refactor, one commit per step, and holds
// people's commits to the same rules.
//
// This package owns flags, wiring, what a person sees, and exit codes. Output
// follows four rules: results go to standard output, everything else to
// standard error; an error says what was seen, where, and what to do next;
// nothing that a model, a repository or a test said reaches the terminal
// unescaped; a pipe gets plain lines.
package main
