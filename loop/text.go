package loop

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-tdd/git-tdd/testrun"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// join lists the first few names.
func join(names []string, most int) string {
	text := strings.Join(names[:min(len(names), most)], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// telling is the output of the last run that failed, or else of the first.
func telling(runs []testrun.Run) string {
	for i, r := range slices.Backward(runs) {
		if r.Exit != 0 || r.TimedOut || i == 0 {
			return r.Output
		}
	}
	return ""
}

// clip cuts a text after at most limit bytes, between two characters, and says so.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "\n(cut here)"
}

// readable removes invisible and direction-changing characters.
func readable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// fileWord makes a trailer's word, which anybody may write, fit for a file's name.
func fileWord(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' }) {
		return "other"
	}
	return s
}
