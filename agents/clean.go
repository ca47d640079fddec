package agents

import (
	"strings"
	"unicode"
)

// maxItem is the length, in runes, of one line made of untrusted text.
const maxItem = 200

// oneLine makes untrusted text safe to show on one line: it removes control,
// bidi and other invisible characters, folds white space, and cuts the text at
// limit runes.
func oneLine(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case invisible(r):
			return -1
		}
		return r
	}, text)
	return clip(strings.Join(strings.Fields(text), " "), limit)
}

// invisible reports whether a reader cannot see the character: C0 and C1
// controls, bidi and zero-width format characters, variation selectors and the
// other code points that renderers ignore.
func invisible(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// clip cuts text to limit runes and marks the cut.
func clip(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	return strings.TrimRight(string(runes[:limit-1]), " ") + "…"
}
