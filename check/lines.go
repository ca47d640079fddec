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
	_, kept := differences(a, b)
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

// difference is a run in which two lists differ: where it begins in both, and how much of the
// first is gone and of the second new.
type difference struct{ i, j, gone, came int }

// differences compares two lists of texts, and says how many they have in common, in order.
func differences(a, b []string) (out []difference, kept int) {
	codes := map[string]rune{}
	encode := func(texts []string) []rune {
		out := make([]rune, 0, len(texts))
		for _, text := range texts {
			if _, ok := codes[text]; !ok {
				codes[text] = rune(len(codes) + 1) //nolint:gosec // far below the surrogates, by maxLines
			}
			out = append(out, codes[text])
		}
		return out
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // a limit would make the result depend on the machine
	var d difference
	for _, part := range append(dmp.DiffMainRunes(encode(a), encode(b), false), diffmatchpatch.Diff{}) {
		n := utf8.RuneCountInString(part.Text)
		switch part.Type {
		case diffmatchpatch.DiffDelete:
			d.gone += n
		case diffmatchpatch.DiffInsert:
			d.came += n
		case diffmatchpatch.DiffEqual: // as what stands behind the last
			if d.gone+d.came > 0 {
				out = append(out, d)
			}
			kept += n
			d = difference{i: d.i + d.gone + n, j: d.j + d.came + n}
		}
	}
	return out, kept
}
