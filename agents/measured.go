package agents

import (
	"fmt"

	"github.com/git-tdd/git-tdd/gates"
)

// How much of the measurements a prompt shows.
const (
	maxFailures    = 20
	maxDiagnostics = 20
	maxPassing     = 200
	maxMessage     = 400
)

// leftOut says how many of something are not shown.
func leftOut(n int) string { return fmt.Sprintf("(%d more left out)", n) }

// describeFacts lists what was measured.
func describeFacts(f gates.Facts) []string {
	lines := []string{countTests(f)}
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
	var passing []string
	for _, t := range f.With(gates.StatusPassed) {
		passing = append(passing, "passed: "+oneLine(t.ID, maxItem))
	}
	return some(passing, maxPassing)
}

// some keeps the first n lines and says how many are left out.
func some(lines []string, n int) []string {
	if len(lines) <= n {
		return lines
	}
	return append(lines[:n:n], leftOut(len(lines)-n))
}

// countTests is the measurement in one line: "3 passed, 1 failed".
func countTests(f gates.Facts) string {
	if f.Detail == gates.DetailExitCode {
		return fmt.Sprintf("%s (known from the exit code only, not test by test)", f.Outcome)
	}
	if len(f.Tests) == 0 {
		return fmt.Sprintf("no tests, outcome %s", f.Outcome)
	}
	text := fmt.Sprintf("%d passed, %d failed", len(f.With(gates.StatusPassed)), len(f.With(gates.StatusFailed)))
	if skipped := len(f.With(gates.StatusSkipped)); skipped > 0 {
		text += fmt.Sprintf(", %d skipped", skipped)
	}
	if !f.Complete() {
		text += fmt.Sprintf(", outcome %s", f.Outcome)
	}
	return text
}

func describeTests(tests []gates.Test) []string {
	lines := make([]string, 0, len(tests))
	for _, t := range tests {
		line := fmt.Sprintf("failed: %s (%s)", oneLine(t.ID, maxItem), t.Class)
		if at := location(t.File, t.Line); at != "" {
			line += " at " + at
		}
		lines = append(lines, line+says(t.Message))
	}
	return lines
}

func describeDiagnostics(what string, all []gates.Diagnostic) []string {
	lines := make([]string, 0, len(all))
	for _, d := range all {
		line := what + string(d.Class)
		if d.Symbol != "" {
			line += " " + oneLine(d.Symbol, maxItem)
		}
		if at := location(d.File, d.Line); at != "" {
			line += " at " + at
		}
		lines = append(lines, line+says(d.Message))
	}
	return lines
}

func says(message string) string {
	if message = oneLine(message, maxMessage); message == "" {
		return ""
	}
	return ": " + message
}

func location(file string, line int) string {
	if file == "" || line == 0 {
		return oneLine(file, maxItem)
	}
	return fmt.Sprintf("%s:%d", oneLine(file, maxItem), line)
}
