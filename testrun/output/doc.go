// Package output reads what programs print.
//
// A program under test may print without end, on lines of any length, and what it
// prints may be no text at all. So everything here works in bounded memory:
//
//   - [EachLine] and [LineWriter] hand output on line by line; a line that is too
//     long loses its middle.
//   - [Excerpt] keeps the beginning and the end, for people to read.
//
// The other functions pick from a text what a person should see of it, such as [LastLine] and
// [FirstError], or recognise what tools of every language say alike, such as [SaysUnimplemented].
package output
