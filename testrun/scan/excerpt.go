package scan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// maxPreamble is how many lines before its first declaration an excerpt shows.
const maxPreamble = 40

// maxNames is how many names of what is left out an excerpt gives at one place.
const maxNames = 12

// Excerpt is a source in which those declarations are whole that keep names by the
// number of their first line and their lines; where others are left out, it says what
// they declare. Like [Outline] it knows no language.
func Excerpt(text string, keep func(first int, lines []string) bool) string {
	var out strings.Builder
	var gone []string
	gap := 0
	show := func(lines []string) {
		if gap > 0 && len(lines) > 0 {
			out.WriteString(leftOut(gap, gone))
			gap, gone = 0, nil
		}
		out.WriteString(strings.Join(lines, ""))
	}
	Blocks(text, func(first int, lines []string) {
		switch name := NameOf(lines[0]); {
		case keep(first, lines):
			show(lines)
		case first == 1 && !begins(lines[0]):
			head := min(len(lines), maxPreamble)
			show(lines[:head])
			gap += len(lines) - head
		default:
			if gap += len(lines); name != "" {
				gone = append(gone, name)
			}
		}
	})
	if gap > 0 {
		out.WriteString("\n" + leftOut(gap, gone))
	}
	return out.String()
}

func leftOut(lines int, names []string) string {
	names = slices.Compact(names)
	text := strings.Join(names[:min(len(names), maxNames)], ", ")
	switch {
	case len(names) > maxNames:
		text = ": " + text + ", …"
	case text != "":
		text = ": " + text
	}
	return fmt.Sprintf("(%d lines left out%s)\n", lines, text)
}

// Blocks gives each declaration of a source, with the number of its first line and its
// lines, up to the next one; what comes before the first is a block, too. What a function
// declares for itself is part of it.
func Blocks(text string, each func(first int, lines []string)) {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	from := 0
	for i := 1; i <= len(lines); i++ {
		if i == len(lines) || begins(lines[i]) && !within(lines[from], lines[i]) {
			each(from+1, lines[from:i])
			from = i
		}
	}
}

// within reports whether a line stands in the function that another one begins, as far as
// indentation tells.
func within(function, line string) bool {
	return functionPattern.MatchString(function) && indentation(line) > indentation(function)
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

var (
	functionPattern = lazyregexp.New(`^\s*(?:(?:pub(?:\([^)]*\))?|async|unsafe|static)\s+)*(?:func|fn|def)\b`)
	importPattern   = lazyregexp.New(`^\s*(?:(?:pub\s+)?(?:import|from|use|mod|using|include|require|require_relative|require_once|source|load)\b|#\s*include\b|(?:[\w.]+\s+)?"[^"\s]+"$)|\b(?:require|import)\(|\bfrom\s+['"]`)
	wordPattern     = lazyregexp.New(`[\pL\pN_]{3,}`)
)

// Imports are the words, in small letters, of the lines by which a source seems to
// take in others.
func Imports(text string) map[string]bool {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, " \t\r\n"); importPattern.MatchString(line) {
			lines = append(lines, line)
		}
	}
	return Words(strings.Join(lines, "\n"))
}

// Words are the words of three letters and more of a text, in small letters.
func Words(text string) map[string]bool {
	out := map[string]bool{}
	for _, word := range wordPattern().FindAllString(text, -1) {
		out[strings.ToLower(word)] = true
	}
	return out
}
