package agents

import (
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// errorPattern finds the lines in which runners and compilers say what went
// wrong: pytest's E lines, a panic, an assertion, a compiler's error.
var errorPattern = lazyregexp.New(`^E\s|^\s*--- FAIL|^\s*not ok\b|panic|(?i:\b(?:error|exception|failure)\b)|(?:Error|Exception)\b|(?i:\bassert|\bexpected\b|\bundefined\b)|\b(?:FAILED|FAIL)\b`)

// rulePattern finds lines that only point or separate.
var rulePattern = lazyregexp.New(`^[\s|+]*[-=_^~*.·─]*[\s|]*$`)

// errorsFirst is an output in at most n lines, each at most width runes. Where
// it is longer, it begins with the first error and the first place in the
// project that is named after it, and ends with the last lines.
func errorsFirst(output string, files []string, n, width int) string {
	var lines []string
	for line := range strings.Lines(output) {
		if line = strings.TrimRight(visible(line), " \t\r\n"); !rulePattern.MatchString(line) {
			lines = append(lines, clip(line, width))
		}
	}
	if len(lines) <= n {
		return strings.Join(lines, "\n")
	}
	first := firstError(lines)
	if first < 0 || first >= len(lines)-n {
		return strings.Join(lines[len(lines)-n:], "\n")
	}
	head := lines[first : first+n/2]
	tail := lines[max(first+n/2, len(lines)-n/2+1):]
	out := append([]string{}, head...)
	if frame := firstFrame(lines[first+len(head):len(lines)-len(tail)], files); frame != "" {
		out = append(out, frame)
	}
	out = append(out, fmt.Sprintf("(%d lines left out)", len(lines)-len(out)-len(tail)))
	return strings.Join(append(out, tail...), "\n")
}

func firstError(lines []string) int {
	for i, line := range lines {
		if errorPattern.MatchString(line) {
			return i
		}
	}
	return -1
}

func firstFrame(lines, files []string) string {
	for _, line := range lines {
		for _, path := range files {
			if strings.Contains(line, path) {
				return line
			}
		}
	}
	return ""
}
