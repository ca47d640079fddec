package php

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

var (
	expectationPattern = lazyregexp.New(`(?:->|::)(?:assert|expect|fail|markTest|willReturn|with|method|once|never|exactly|should)\w*\(|^return\b` +
		`|^#\[|^(?:yield\b|\[)|^(?:public |private |protected |static |const |readonly |\?\w+ |\w+ )*\$?\w+ ?= ?[-+]?(?:[\d"'\[]|true\b|false\b|null\b|array\b|<<<)`)
	controlPattern = lazyregexp.New(`^\}? ?(?:if|elseif|else|foreach|for|while|do|switch|case|try|catch|finally)\b`)
)

// assertions lists what the tests expect: assertions and expectations with
// all that is chained to them, marks that switch a test off, data of tests, and
// literal values, with the conditions they stand under.
func assertions(test string) []string {
	bare, masked := page().Mask(test)
	lines := scan.Lines(bare, scan.OpenBlocks(masked), func(line, next string) bool {
		return line != "" && strings.IndexByte(";{}]", line[len(line)-1]) < 0 && next != "" && !strings.HasPrefix(next, "}") ||
			strings.HasPrefix(next, "->")
	})
	return append(scan.Expectations(lines, expectationPattern, controlPattern.MatchString), annotations(test)...)
}

var annotationPattern = lazyregexp.New(`@(?:dataProvider|depends|requires|group|testWith|doesNotPerformAssertions|expectedException)\b[^\n*]*`)

// annotations lists the marks in comments that decide how a test is run.
func annotations(test string) []string {
	var out []string
	for _, hit := range annotationPattern.FindAllString(test, -1) {
		out = append(out, strings.TrimSpace(hit))
	}
	return out
}
