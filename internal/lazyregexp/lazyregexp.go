// Package lazyregexp compiles regular expressions when they are first used, as the go command's own
// package of this name does. Every hook starts this program, and compiling what all languages look
// for would take as long as the rest of its start: 4 ms.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression that is compiled at its first use. It is safe for
// several goroutines.
type Regexp struct{ compiled func() *regexp.Regexp }

// New returns a regular expression without compiling it. One that is malformed
// panics when it is used; the tests of this package compile all of this module.
func New(expr string) Regexp {
	return Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// The methods are those of [regexp.Regexp].

// MatchString reports whether the text holds a match.
func (r Regexp) MatchString(s string) bool { return r.compiled().MatchString(s) }

// FindString is the leftmost match.
func (r Regexp) FindString(s string) string { return r.compiled().FindString(s) }

// FindStringIndex is where the leftmost match stands.
func (r Regexp) FindStringIndex(s string) []int { return r.compiled().FindStringIndex(s) }

// FindSubmatch is the leftmost match and its groups.
func (r Regexp) FindSubmatch(b []byte) [][]byte { return r.compiled().FindSubmatch(b) }

// FindStringSubmatch is the leftmost match and its groups.
func (r Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }

// FindStringSubmatchIndex is where the leftmost match and its groups stand.
func (r Regexp) FindStringSubmatchIndex(s string) []int {
	return r.compiled().FindStringSubmatchIndex(s)
}

// FindAllString lists the first n matches; all of them if n is negative.
func (r Regexp) FindAllString(s string, n int) []string { return r.compiled().FindAllString(s, n) }

// FindAllStringIndex is where the first n matches stand.
func (r Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringIndex(s, n)
}

// FindAllStringSubmatch lists the first n matches and their groups.
func (r Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is where the first n matches and their groups stand.
func (r Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString puts a template in the place of all matches.
func (r Regexp) ReplaceAllString(s, by string) string { return r.compiled().ReplaceAllString(s, by) }

// ReplaceAllLiteralString puts a text in the place of all matches.
func (r Regexp) ReplaceAllLiteralString(s, by string) string {
	return r.compiled().ReplaceAllLiteralString(s, by)
}

// ReplaceAllStringFunc puts what a function makes of each match in its place.
func (r Regexp) ReplaceAllStringFunc(s string, by func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(s, by)
}

// Split cuts the text at the first n-1 matches; at all of them if n is negative.
func (r Regexp) Split(s string, n int) []string { return r.compiled().Split(s, n) }

// Get is the regular expression itself.
func (r Regexp) Get() *regexp.Regexp { return r.compiled() }
