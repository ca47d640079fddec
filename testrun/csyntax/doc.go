// Package csyntax reads sources whose syntax looks like C's (Java, C, C++) for the
// evidence of what tests are worth. [Parse] cuts a text into tokens and finds its
// brackets; [Code.Altered] makes another value of one that is written out,
// [Code.Decided] does so for what a condition expects, [Mutants] lists small changes
// of a source, and [Plain] is a source without comments and layout. What an assertion
// is called, and which of its arguments is what is expected, is for each language to
// know.
package csyntax
