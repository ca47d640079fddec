// Package clean makes what others wrote harmless to a reader: the one place that knows which
// characters deceive. What people see, on a terminal or on a page, goes through it.
package clean

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Text escapes, as JSON does, control characters other than line ends and tabs,
// and characters that reorder or hide text.
func Text(s string) string {
	if !strings.ContainsFunc(s, deceives) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if !deceives(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, "\\u%04x", unit)
		}
	}
	return b.String()
}

func deceives(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029')
}
