package javascript

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/output"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

var expectationPattern = lazyregexp.New(`\b(?:expect|assert)(?:\.\w+)*\s*\(` +
	`|\b(?:test|it|describe|suite)(?:\.\w+)*\.(?:each|for|skip|only|todo|fails|failing|skipIf|runIf)\b` +
	`|\b(?:const|let|var)\s+[\w$]+\s*=\s*(?:[-\d'"` + "`" + `\[{]|(?:true|false|null|undefined)\b)`)

// assertions lists what the tests expect: assertions with all that is chained
// to them, tables, marks that switch a test off, and literal values.
func assertions(test string) []string {
	bare, masked := page().Mask(test)
	return scan.Headed(bare, masked, expectationPattern, expectationEnd)
}

// expectationEnd is the end of an expectation of which the head is known.
func expectationEnd(masked string, start, end int) int {
	switch head := masked[start:end]; {
	case output.HasAnyPrefix(head, "const", "let", "var"):
		return statementEnd(masked, end-1)
	case strings.HasSuffix(head, "("):
		return scan.ChainEnd(masked, scan.Closing(masked, end-1))
	case strings.HasSuffix(head, "each"), strings.HasSuffix(head, "for"), strings.HasSuffix(head, "If"):
		if strings.HasPrefix(masked[end:], "(") {
			return scan.Closing(masked, end)
		}
	}
	return end
}

// statementEnd is the end of a statement: a semicolon or the end of a line,
// outside brackets and templates.
func statementEnd(masked string, at int) int {
	for at < len(masked) {
		switch c := masked[at]; {
		case slices.Contains([]byte("([{"), c):
			at = scan.Closing(masked, at)
		case c == '`':
			at += 1 + min(len(masked)-at-1, scan.UpTo(masked[at+1:], "`")+1)
		case c == ';' || c == '\n':
			return at
		default:
			at++
		}
	}
	return len(masked)
}
