// Package scan reads source code without a parser: enough to find the tests that a
// file declares and what they expect, in any text, well-formed or not.
//
// First comes a mask: two copies of a text, as long as the text. In the bare one
// comments are blank; in the masked one the contents of strings are hidden, too, so
// that every bracket and every word in it is code. What is found in the masked copy
// is then read from the bare one, at the same place. Package syntax makes both.
//
// In masked text [Closing], [StatementEnd] and [ChainEnd] find where something ends,
// [Headed] lists what begins with a keyword, and [Lines] cuts a language whose
// statements end with the line into statements, of which [Expectations] picks those
// that say what is expected.
package scan
