package java

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

var expectationPattern = lazyregexp.New(`\b(?:assert\w*|fail|expect\w*|verify\w*|assume\w*|then\w*)\s*\(` +
	`|\bassert\b` +
	`|@(?:\w+Source|Disabled\w*|Enabled\w*|Ignore|Timeout|RepeatedTest|Parameters|Test)\s*\(|@(?:Disabled|Ignore)\b` +
	`|\b(?:final|var|int|long|double|float|char|byte|short|boolean|String|BigDecimal|List<\w+>|\w+\[\])\s+\w+\s*=\s*(?:[-\d'"{]|(?:true|false|null)\b|new\s+[\w<>]+\[\]|List\.of|Arrays\.asList|Map\.of|Set\.of)` +
	`|\b(?:Arguments\.(?:of|arguments)|arguments)\s*\(`)

// assertions lists what the tests expect: assertions with all that is
// chained to them, the rows of tables, marks that switch a test off, and literal
// values.
func assertions(test string) []string {
	bare, masked := page().Mask(test)
	return scan.Headed(bare, masked, expectationPattern, expectationEnd)
}

// expectationEnd is the end of an expectation of which the head is known.
func expectationEnd(masked string, start, end int) int {
	switch head := masked[start:end]; {
	case strings.HasPrefix(head, "@") && !strings.HasSuffix(head, "("):
		return end
	case strings.HasSuffix(head, "("):
		return scan.ChainEnd(masked, scan.Closing(masked, end-1))
	}
	return scan.StatementEnd(masked, start)
}
