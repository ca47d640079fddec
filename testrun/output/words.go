package output

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// HasAnyPrefix reports whether a text begins with any of these.
func HasAnyPrefix(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}

// Program is the name of the program that a word of a command starts, whatever system names it.
func Program(word string) string {
	base := filepath.Base(word)
	for _, ending := range []string{".exe", ".cmd", ".bat"} {
		base = strings.TrimSuffix(base, ending)
	}
	return base
}

// AnyOf is a regular expression, as all runners know it, that matches any of some texts.
func AnyOf(texts []string) string {
	texts = slices.Compact(slices.Sorted(slices.Values(texts)))
	for i, text := range texts {
		texts[i] = regexp.QuoteMeta(text)
	}
	return "(" + strings.Join(texts, "|") + ")"
}

// SaysUnimplemented reports whether an error says that something is not written yet.
func SaysUnimplemented(text string) bool {
	lower := strings.ToLower(text)
	return strings.Contains(lower, "not implemented") || strings.Contains(lower, "not yet implemented") ||
		strings.Contains(lower, "unimplemented") || slices.Contains(strings.FieldsFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) }), "todo")
}

var (
	errorPattern = lazyregexp.New(`(?m)^(?:[\w ./-]+: )?error: .*(?:\n+(?:Caused by:|  .*))*`)
	// npm and Maven write their errors behind a mark; Ruby names the kind at the end.
	markedPattern = lazyregexp.New(`(?m)^(?:npm (?:error|ERR!)|\[ERROR\]) +(.*\S)|^(?:\S+:\d+:in .*?['"]: )?(.+ \((?:\w+::)*\w*(?:Error|Exception|NotFound)\))$`)
	// complaintPattern finds what linters and small runners set apart by a mark, a place or FAIL.
	complaintPattern = lazyregexp.New(`(?m)^ *(?:[✖✘×]|  x) +((?:\d+:\d+ |[^\d\s]).*\S)$|^ +(\d+:\d+ +error .*\S)$|^ *(FAIL .*\S)$`)
	// aboutPattern finds what a tool says beside its error: where, that it is over, what to do.
	aboutPattern = lazyregexp.New(`^(?:code|errno|path|syscall|command|signal|workspace|location) |^Lifecycle script|A complete log of this run|` +
		`^(?:\s*from |\s*at )|^(?:g?make|ninja)\b.*(?:\*\*\* .*Error \d|: Leaving directory)|^(?:error|\s*ELIFECYCLE\s+) ?Command failed|^info Visit |` +
		`[Rr]e-run (?:Maven|with)|\[Help \d\]|^Run with --|^npm (?:error|ERR!|warn|WARN)(?: code .*)?$|^(?:npm )?(?:warn|WARN) `)
)

// FirstError is the first error in what a tool printed, with the lines that explain
// it; where nothing looks like one it is the last line that says something.
func FirstError(printed string) string {
	if hit := errorPattern().FindString(printed); hit != "" {
		return strings.TrimSpace(hit)
	}
	for _, hit := range markedPattern().FindAllStringSubmatch(printed, -1) {
		if words := hit[1] + hit[2]; !aboutPattern.MatchString(words) {
			return words
		}
	}
	if hit := complaintPattern().FindStringSubmatch(printed); hit != nil {
		return strings.Join(hit[1:], "")
	}
	lines := strings.Split(printed, "\n")
	for _, line := range slices.Backward(lines) {
		if strings.TrimSpace(line) != "" && !aboutPattern.MatchString(line) {
			return strings.TrimSpace(line)
		}
	}
	return LastLine(printed)
}

// LastLine is the last line of a text that holds anything.
func LastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// MessageLimit is how many bytes are kept of what a failed test said.
const MessageLimit = 4 << 10

// FirstFew lists the first few names with commas between them, and how many more there are.
func FirstFew(names []string) string {
	const few = 5
	if len(names) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
	}
	return strings.Join(names, ", ")
}

// EndOf is the end of a text, at most size bytes of valid UTF-8, in whole lines if it is cut.
func EndOf(text string, size int) string {
	if len(text) <= size {
		return text
	}
	text = text[len(text)-size:]
	return strings.ToValidUTF8(text[strings.IndexByte(text, '\n')+1:], "?")
}

// Atoi is the number that a text holds, or 0 where it holds none.
func Atoi(text string) int {
	n, _ := strconv.Atoi(text) // too many digits are the largest number
	return max(0, n)
}
