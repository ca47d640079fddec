package agents

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// errorPattern finds the lines in which runners and compilers say what went wrong.
var errorPattern = lazyregexp.New(`^E\s|^\s*--- FAIL|^\s*not ok\b|panic|(?i:\b(?:error|exception|failure)\b)|(?:Error|Exception)\b|(?i:\bassert|\bexpected\b|\bundefined\b)|\b(?:FAILED|FAIL)\b`)

var (
	// rulePattern finds lines that only point or separate.
	rulePattern = lazyregexp.New(`^[\s|+]*[-=_^~*.·─]*(?:[-=_^~*.·─]\s)*[\s|]*$`)
	// framePattern finds the frames of stack traces, with their file.
	framePattern = lazyregexp.New(`^\s+(?:at\b.*?|File ")?([^\s("]*/)?([\w@.+-]+\.[A-Za-z]{1,5})["':,]+(?:\s*line )?\d+`)
)

// errorsFirst is an output in about n lines, each at most width runes, without rules
// and without frames of other people's code. A longer one keeps its errors, the lines
// after them and the end; no line of an error that pytest marks is cut.
func errorsFirst(output string, files []string, n, width int) string {
	lines := withoutFrames(output, files, width)
	if len(lines) <= n {
		return strings.Join(lines, "\n")
	}
	const last = 4
	kept, count := make([]bool, len(lines)), 0
	keep := func(i int) {
		if i >= 0 && i < len(lines) && !kept[i] {
			kept[i] = true
			count++
		}
	}
	for i := range last {
		keep(len(lines) - 1 - i)
	}
	for i, line := range lines {
		if strings.HasPrefix(line, "E ") && count < 2*n {
			keep(i)
		}
	}
	for _, i := range errorLines(lines) {
		if count < n-1 {
			keep(i)
		}
	}
	for i := len(lines) - 1; !slices.ContainsFunc(lines, errorPattern.MatchString) && len(lines)-i <= n; i-- {
		kept[i] = true
	}
	return gaps(lines, kept)
}

// withoutFrames are the lines of an output, without rules and without frames of code that
// is in none of some files.
func withoutFrames(output string, files []string, width int) []string {
	own := map[string]bool{}
	for _, name := range files {
		own[path.Base(name)] = true
	}
	var lines []string
	for line := range strings.Lines(output) {
		line = strings.TrimRight(visible(line), " \t\r\n")
		frame := framePattern().FindStringSubmatch(line)
		if rulePattern.MatchString(line) || frame != nil && (len(own) > 0 && !own[frame[2]] || strings.Contains(frame[1], "node_modules/")) {
			continue
		}
		lines = append(lines, clip(line, width))
	}
	return lines
}

// errorLines are the indices of the lines that say what went wrong, each with two after it.
func errorLines(lines []string) []int {
	var out []int
	for i, line := range lines {
		if errorPattern.MatchString(line) || framePattern.MatchString(line) {
			out = append(out, i, i+1, i+2)
		}
	}
	return out
}

// gaps joins the lines kept, and counts those that are left out after the first.
func gaps(lines []string, kept []bool) string {
	var out []string
	gap := 0
	for i, line := range lines {
		if !kept[i] {
			gap++
			continue
		}
		if gap > 0 && len(out) > 0 {
			out = append(out, fmt.Sprintf("(%d lines left out)", gap))
		}
		gap = 0
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}
