package testrun

import (
	"strings"
	"unicode"
)

// OtherCase is the text of a literal with its letters in the other case, but for what
// stands for something else: escapes, verbs, what stands in braces. It is the same
// text where there is no other letter.
func OtherCase(literal string) string {
	const plain, escaped, verb, braces = 0, 1, 2, 3
	state := plain
	quote := max(0, strings.IndexAny(literal, "\"'`"))
	return literal[:quote] + strings.Map(func(r rune) rune {
		was := state
		switch {
		case was == plain && r == '\\':
			state = escaped
		case was == plain && r == '%':
			state = verb
		case was == plain && r == '{':
			state = braces
		case was == escaped, was == verb && unicode.IsLetter(r), was == verb && r == '%', was == braces && r == '}':
			state = plain
		}
		switch {
		case was != plain || state != plain:
			return r
		case unicode.IsUpper(r):
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, literal[quote:])
}
