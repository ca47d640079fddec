// Package coverage holds line coverage while it is read, in whatever form a tool writes it.
//
// [Lines] says of each line that can be executed whether it was. [Lines.Lcov] reads lcov's
// format, which many tools write, [V8] what V8 writes, and [ReadReported] what our
// own reporters write; a language that has another tool fills Lines itself, with [Lines.Note].
//
// Which lines count must not depend on formatting: a statement is one line however many somebody
// gave it, and comments and lone brackets are none. Where a tool counts otherwise, the tree of the
// source shows the lines that count (syntax), and [Lines.Only] leaves those.
//
// Where coverage cannot be measured, the reason is an [UnmeasuredError]: people are
// told, and no verdict changes.
//
// See docs/adding-a-language.md for what measures each language.
package coverage
