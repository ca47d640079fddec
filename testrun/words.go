package testrun

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// HasAnyPrefix reports whether a text begins with any of these.
func HasAnyPrefix(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}

// SaysUnimplemented reports whether a panic says that something is a stub.
func SaysUnimplemented(text string) bool {
	lower := strings.ToLower(text)
	return strings.Contains(lower, "not implemented") || strings.Contains(lower, "not yet implemented") ||
		strings.Contains(lower, "unimplemented") || slices.Contains(strings.FieldsFunc(lower, notLetter), "todo")
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// FirstError is the first complaint in what a tool printed, with the lines that
// explain it.
func FirstError(output string) string {
	complaint := regexp.MustCompile(`(?m)^(?:[\w ./-]+: )?error: .*(?:\n+(?:Caused by:|  .*))*`)
	if hit := complaint.FindString(output); hit != "" {
		return strings.TrimSpace(hit)
	}
	return LastLine(output)
}

// LastLine is the last line of a text that holds anything.
func LastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// MessageLimit is how much of what a failed test said is kept.
const MessageLimit = 4 << 10

// FirstFew names the first few of many.
func FirstFew(names []string) string {
	const few = 5
	if len(names) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
	}
	return strings.Join(names, ", ")
}

// EndOf is the end of a text, at most size bytes, from the beginning of a line
// where it had to be cut.
func EndOf(text string, size int) string {
	if len(text) <= size {
		return text
	}
	text = text[len(text)-size:]
	return strings.ToValidUTF8(text[strings.IndexByte(text, '\n')+1:], "?")
}

// Atoi is a number, or 0 where there is none.
func Atoi(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0
	}
	return max(0, n)
}
