package check

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"

	"github.com/git-tdd/git-tdd/gates"
)

// maxLines limits the comparison of two texts: if more lines than that might
// have moved, all of them count as changed. No small step touches that many.
const maxLines = 10_000

// countLines counts the lines that a change adds and takes away: as few as
// possible, and the same on every machine.
func countLines(before, after string) gates.Lines {
	a, b, _ := unlike(pieces(before), pieces(after))
	n := gates.Lines{Deleted: len(a), Added: len(b)}
	a, b = shared(a, b), shared(b, a)
	if len(a)+len(b) > maxLines {
		return n
	}
	kept := common(a, b)
	return gates.Lines{Deleted: n.Deleted - kept, Added: n.Added - kept}
}

// lines are the lines of a text, each with its line break, so that a missing
// one counts.
func lines(text string) []string { return slices.Collect(strings.Lines(text)) }

// maxLine is how many bytes of a line count as one: longer lines count as several.
const maxLine = 500

// pieces are the lines of a text, those that are too long in parts.
func pieces(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		for len(line) > maxLine {
			out, line = append(out, line[:maxLine]), line[maxLine:]
		}
		out = append(out, line)
	}
	return out
}

// unlike cuts off the lines that two texts have in common at their beginning, so many, and at
// their end.
func unlike(a, b []string) (restA, restB []string, first int) {
	for first < min(len(a), len(b)) && a[first] == b[first] {
		first++
	}
	a, b = a[first:], b[first:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b, first
}

// shared leaves out the lines that the other text does not contain at all:
// those are certain to be changed.
func shared(a, b []string) []string {
	has := make(map[string]bool, len(b))
	for _, line := range b {
		has[line] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(line string) bool { return !has[line] })
}

// common is how many lines two texts have in common, in order.
func common(a, b []string) int {
	kept := 0
	for _, d := range compareLines(a, b) {
		if d.Type == diffmatchpatch.DiffEqual {
			kept += utf8.RuneCountInString(d.Text)
		}
	}
	return kept
}

// compareLines compares two texts, each line a rune of the result.
func compareLines(a, b []string) []diffmatchpatch.Diff {
	codes := map[string]rune{}
	encode := func(text []string) []rune {
		out := make([]rune, 0, len(text))
		for _, line := range text {
			if _, ok := codes[line]; !ok {
				codes[line] = rune(len(codes) + 1) //nolint:gosec // far below the surrogates, by maxLines
			}
			out = append(out, codes[line])
		}
		return out
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // a limit would make the result depend on the machine
	return dmp.DiffMainRunes(encode(a), encode(b), false)
}
