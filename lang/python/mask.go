package python

import (
	"strings"

	"github.com/git-tdd/git-tdd/testrun/scan"
)

// mask returns a text in which comments are blank, and one in which the contents
// of strings are hidden, too. A string in three quotes looks there as if it stood in
// one.
func mask(text string) (bare, masked string) {
	m := scan.NewMasker(text)
	for m.At < len(text) {
		switch text[m.At] {
		case '#':
			m.Blank(scan.UpTo(text[m.At:], "\n"))
		case '"', '\'':
			end := stringEnd(text, m.At)
			m.Hide(m.At+1, max(m.At+1, end-1))
			m.At = end
		default:
			m.At++
		}
	}
	return string(m.Bare), string(m.Masked)
}

// stringEnd is the place behind the string that begins at a place. One that is not
// closed ends with its line, or with the text.
func stringEnd(text string, start int) int {
	quote := text[start : start+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(text[start:], triple) {
		quote = triple
	}
	formatted := strings.ContainsAny(prefix(text, start), "fFtT")
	for at := start + len(quote); at < len(text); at++ {
		switch {
		case strings.HasPrefix(text[at:], quote):
			return at + len(quote)
		case text[at] == '\\':
			at++
		case text[at] == '\n' && len(quote) == 1:
			return at
		case formatted && strings.HasPrefix(text[at:], "{{"):
			at++
		case formatted && text[at] == '{':
			at = replacementEnd(text, at, quote) - 1
		}
	}
	return len(text)
}

// replacementEnd is the place behind the part of a formatted string that begins
// with a brace at a place. Strings within it may be in the same quotes.
func replacementEnd(text string, at int, quote string) int {
	depth := 0
	for ; at < len(text) && (text[at] != '\n' || len(quote) == 3); at++ {
		switch text[at] {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			if depth--; depth == 0 {
				return at + 1
			}
		case '"', '\'':
			line := text[at+1 : at+1+scan.UpTo(text[at+1:], "\n")]
			closed := strings.IndexByte(line, text[at])
			if closed < 0 {
				return at // the string ends here, and the brace was text
			}
			at += closed + 1
		}
	}
	return at
}

// prefix is the letters directly before a string that say of which kind it is.
func prefix(text string, quote int) string {
	start := quote
	for start > 0 && strings.IndexByte("rbfutRBFUT", text[start-1]) >= 0 {
		start--
	}
	if start > 0 && wordByte(text[start-1]) {
		return ""
	}
	return text[start:quote]
}

// wordByte reports whether a byte may be part of a name.
func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}
