// Package lazyregexp compiles regular expressions when they are first used, as the go command's own
// package of this name does. Every hook starts this program, and compiling what all languages look
// for would take as long as the rest of its start: 4 ms.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp gives a regular expression, which it compiles when it is first asked. It is safe for
// several goroutines.
type Regexp func() *regexp.Regexp

// New returns a regular expression without compiling it. One that is malformed
// panics when it is asked for; the tests of this package compile all of this module.
func New(expr string) Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// MatchString reports whether a text holds a match.
func (r Regexp) MatchString(s string) bool { return r().MatchString(s) }
