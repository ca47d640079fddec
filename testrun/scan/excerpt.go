package scan

import (
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// maxPreamble is how many lines before its first declaration an excerpt shows.
const maxPreamble = 40

// Excerpt is a source in which those declarations are whole that keep names by the
// number of their first line and their lines; of the others it has the first line, if
// signatures are asked for. Like [Outline] it knows no language.
func Excerpt(text string, signatures bool, keep func(first int, lines []string) bool) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	var out strings.Builder
	gap, from := 0, 0
	show := func(lines []string, n int) {
		if gap > 0 && n > 0 {
			fmt.Fprintf(&out, "(%d lines left out)\n", gap)
			gap = 0
		}
		out.WriteString(strings.Join(lines[:n], ""))
		gap += len(lines) - n
	}
	for i := 1; i <= len(lines); i++ {
		if i < len(lines) && !declares(strings.TrimRight(lines[i], " \t\r\n")) {
			continue
		}
		block := lines[from:i]
		switch {
		case keep(from+1, block):
			show(block, len(block))
		case from == 0 && !declares(strings.TrimRight(lines[0], " \t\r\n")):
			show(block, min(len(block), maxPreamble))
		case signatures:
			show(block, 1)
		default:
			gap += len(block)
		}
		from = i
	}
	show(nil, 0)
	if gap > 0 {
		fmt.Fprintf(&out, "\n(%d lines left out)\n", gap)
	}
	return out.String()
}

var (
	importPattern = lazyregexp.New(`^\s*(?:(?:pub\s+)?(?:import|from|use|mod|using|include|require|require_relative|require_once|source|load)\b|#\s*include\b|(?:[\w.]+\s+)?"[^"\s]+"$)|\b(?:require|import)\(|\bfrom\s+['"]`)
	wordPattern   = lazyregexp.New(`[\pL\pN_]{3,}`)
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
	for _, word := range wordPattern.FindAllString(text, -1) {
		out[strings.ToLower(word)] = true
	}
	return out
}
