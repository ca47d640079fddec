package agents

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// How much of the measurements a prompt shows.
const (
	maxFailures    = 20
	maxDiagnostics = 20
	maxPassing     = 200
	maxMessage     = 400
	maxWhole       = 3 // failing tests whose long message is shown in lines
)

func describeFacts(f gates.Facts) []string {
	lines := []string{gates.TestsText(f)}
	failed := describeTests(f.With(gates.StatusFailed))
	lines = append(lines, some(failed, maxFailures)...)
	lines = append(lines, some(describeDiagnostics("", f.Diagnostics), maxDiagnostics)...)
	if f.Check != "" {
		lines = append(lines, "check command: "+string(f.Check))
	}
	return append(lines, some(describeDiagnostics("check: ", f.CheckDiagnostics), maxDiagnostics)...)
}

// namePassing names the tests that pass.
func namePassing(f gates.Facts) []string {
	passing := gates.Each(f.With(gates.StatusPassed), func(t gates.Test) string { return "passed: " + oneLine(t.ID, maxItem) })
	return some(passing, maxPassing)
}

func some(lines []string, n int) []string {
	if len(lines) <= n {
		return lines
	}
	return append(lines[:n:n], fmt.Sprintf("(%d more left out)", len(lines)-n))
}

func describeTests(tests []gates.Test) []string {
	lines := make([]string, 0, len(tests))
	for _, t := range tests {
		line := fmt.Sprintf("failed: %s (%s)", oneLine(t.ID, maxItem), t.Class)
		if at := location(t.File, t.Line); at != "" {
			line += " at " + at
		}
		if len([]rune(t.Message)) > maxMessage && len(lines) < maxWhole {
			lines = append(lines, line+":\n"+errorsFirst(t.Message, nil, maxOutputLines, maxOutputWidth))
			continue
		}
		lines = append(lines, line+says(t.Message))
	}
	return lines
}

// describeDiagnostics lists complaints, those that differ only in their line as one.
func describeDiagnostics(what string, all []gates.Diagnostic) []string {
	lines := make([]string, 0, len(all))
	told := map[gates.Diagnostic]bool{}
	for _, d := range all {
		cause := d
		cause.Line = 0
		if told[cause] {
			continue
		}
		told[cause] = true
		line := what + string(d.Class)
		if d.Symbol != "" {
			line += " " + oneLine(d.Symbol, maxItem)
		}
		if at := location(d.File, d.Line); at != "" {
			line += " at " + at + moreLines(cause, all)
		}
		lines = append(lines, line+says(d.Message))
	}
	return lines
}

// moreLines lists the further lines of a file that one cause is told of.
func moreLines(cause gates.Diagnostic, all []gates.Diagnostic) string {
	var at []string
	for _, d := range all {
		line := d.Line
		if d.Line = 0; d == cause && line > 0 {
			at = append(at, strconv.Itoa(line))
		}
	}
	at = slices.Compact(at)
	if len(at) < 2 {
		return ""
	}
	return ", " + strings.Join(at[1:], ", ")
}

func says(message string) string {
	if message = oneLine(message, maxMessage); message == "" {
		return ""
	}
	return ": " + message
}

func location(file string, line int) string {
	if file == "" || line == 0 {
		return oneLine(file, maxPath)
	}
	return fmt.Sprintf("%s:%d", oneLine(file, maxPath), line)
}
