// Package scan reads source code without knowing its language: which names a file
// declares, an outline of them, an excerpt that holds some of them whole, and the words of
// the lines that take in other files. It is good enough to choose what a model is shown,
// and to find names that are gone or unused; package syntax reads what must be right.
package scan
