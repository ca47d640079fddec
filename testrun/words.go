package testrun

import (
	"io"
	"os"

	"github.com/git-tdd/git-tdd/testrun/output"
)

// These are on their way to the package output.

// MessageLimit is [output.MessageLimit].
const MessageLimit = output.MessageLimit

// XmlTextLimit is [XMLTextLimit].
const XmlTextLimit = XMLTextLimit //nolint:revive // until its user has gone over

// HasAnyPrefix is [output.HasAnyPrefix].
func HasAnyPrefix(text string, prefixes ...string) bool {
	return output.HasAnyPrefix(text, prefixes...)
}

// SaysUnimplemented is [output.SaysUnimplemented].
func SaysUnimplemented(text string) bool { return output.SaysUnimplemented(text) }

// FirstError is [output.FirstError].
func FirstError(text string) string { return output.FirstError(text) }

// LastLine is [output.LastLine].
func LastLine(text string) string { return output.LastLine(text) }

// FirstFew is [output.FirstFew].
func FirstFew(names []string) string { return output.FirstFew(names) }

// EndOf is [output.EndOf].
func EndOf(text string, size int) string { return output.EndOf(text, size) }

// Atoi is [output.Atoi].
func Atoi(text string) int { return output.Atoi(text) }

// EachLine is [output.EachLine].
func EachLine(r io.Reader, line func([]byte)) error { return output.EachLine(r, line) }

// WithFile is [output.WithFile].
func WithFile(path string, use func(*os.File) error) error { return output.WithFile(path, use) }

// NewSession is newSession.
func NewSession(req Request) (*Session, error) { return newSession(req) }

// NewPlaces is a literal of [Places].
func NewPlaces(dir string, lang Language) *Places { return &Places{Dir: dir, Language: lang} }

// CutOut is cutOut.
func CutOut(content string, cuts []Span) (outside, inside string) { return cutOut(content, cuts) }
