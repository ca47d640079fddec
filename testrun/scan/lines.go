package scan

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// Line is a statement that stands on a line, or on several that belong together, as
// it is in both copies of the text.
type Line struct {
	Bare, Masked string
	Start        int // where it begins in the text, white space before it included
	Indent       int
}

// folded is the statement without its line breaks.
func (l Line) folded() string { return strings.Join(strings.Fields(l.Bare), " ") }

// Lines cuts a text into statements: a line goes on where brackets are open, or
// where more says so of it and of what follows.
func Lines(bare, masked string, more func(line, next string) bool) []Line {
	var out []Line
	for start := 0; start < len(masked); {
		end, depth := start, 0
		for {
			size := UpTo(masked[end:], "\n")
			depth = max(0, depth+balance(masked[end:end+size]))
			end += size
			next := strings.TrimLeft(masked[end:], " \t\n")
			if end == len(masked) || depth == 0 && !more(strings.TrimRight(masked[start:end], " \t"), next) {
				break
			}
			end++
		}
		line := masked[start:end]
		if trimmed := strings.TrimSpace(line); trimmed != "" {
			out = append(out, Line{
				Bare: bare[start:end], Masked: line, Start: start,
				Indent: len(line) - len(strings.TrimLeft(line, " \t\n")),
			})
		}
		start = end + 1
	}
	return out
}

// balance is how many brackets a text leaves open.
func balance(masked string) int {
	depth := 0
	for i := range len(masked) {
		switch masked[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
	}
	return depth
}

// Expectations lists the statements that expects matches, each behind the blocks
// that it is indented in: block reports whether a masked statement opens one.
func Expectations(lines []Line, expects lazyregexp.Regexp, block func(masked string) bool) []string {
	var out []string
	var under []Line
	for _, line := range lines {
		for len(under) > 0 && under[len(under)-1].Indent >= line.Indent {
			under = under[:len(under)-1]
		}
		trimmed := strings.TrimSpace(line.Masked)
		if expects.MatchString(trimmed) {
			var text strings.Builder
			for _, u := range under {
				text.WriteString(u.folded() + " ")
			}
			out = append(out, text.String()+line.folded())
		}
		if block(trimmed) {
			under = append(under, line)
		}
	}
	return out
}

var openBracePattern = lazyregexp.New(`\{[ \t]*(\r?\n)`)

// OpenBlocks replaces the braces at the ends of lines, so that to [Lines] no bracket
// is open in a block and each statement of it counts by itself.
func OpenBlocks(masked string) string {
	return openBracePattern.ReplaceAllStringFunc(masked, func(s string) string { return ";" + s[1:] })
}
