package scan

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// Closing is the place behind the bracket that closes the one at a place, or the
// end of the text.
func Closing(masked string, at int) int {
	depth := 0
	for i := at; i < len(masked); i++ {
		switch masked[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(masked)
}

// StatementEnd is the place of the semicolon that ends the statement at a place, or
// the end of the text.
func StatementEnd(masked string, at int) int {
	for at < len(masked) {
		switch masked[at] {
		case '(', '[', '{':
			at = Closing(masked, at)
		case ';':
			return at
		default:
			at++
		}
	}
	return len(masked)
}

var linkPattern = lazyregexp.New(`^\s*\??\.\s*[\w$#]+\s*`)

// ChainEnd is the end of all that is chained to a call that ends at a place: in
// "a(b).c.d(e)" the end of "d(e)".
func ChainEnd(masked string, at int) int {
	for {
		next := linkPattern.FindStringIndex(masked[at:])
		if next == nil {
			return at
		}
		at += next[1]
		if strings.HasPrefix(masked[at:], "(") {
			at = Closing(masked, at)
		}
	}
}

// Headed lists the texts, with white space folded, that begin where head matches
// the masked text. They end where end says, given the masked text, where the head
// begins, and where it ends.
func Headed(bare, masked string, head lazyregexp.Regexp, end func(masked string, start, at int) int) []string {
	var out []string
	for at := 0; ; {
		hit := head.FindStringIndex(masked[at:])
		if hit == nil {
			return out
		}
		start := at + hit[0]
		at = end(masked, start, at+hit[1])
		out = append(out, strings.Join(strings.Fields(bare[start:at]), " "))
	}
}
