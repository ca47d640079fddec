package python

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

var (
	testPattern        = lazyregexp.New(`^(?:async )?def (test\w*) ?\(`)
	expectationPattern = lazyregexp.New(`^assert\b|\bself\.(?:assert|fail|skip)\w*\(|\bpytest\.(?:raises|warns|fail|skip|xfail|approx|importorskip|param)\b` +
		`|^@(?:pytest\.mark\.(?:parametrize|skip|xfail)|unittest\.(?:skip|expectedFailure)|given|example)|\bassert_\w+\(` +
		`|^[\w, ]+ ?= ?[-+]?(?:[\d"'\[({]|[rbf]["']|True\b|False\b|None\b)`)
	blockPattern = lazyregexp.New(`(?s)^(?:if|elif|else|for|while|try|except|finally|with|async (?:for|with))\b.*:$`)
)

// declared names the test functions and methods, in order.
func declared(test string) []string {
	var out []string
	for _, line := range lines(page().Mask(test)) {
		if hit := testPattern.FindStringSubmatch(folded(line.Masked)); hit != nil {
			out = append(out, hit[1])
		}
	}
	return out
}

// assertions lists what the tests expect: assertions with the conditions they
// stand under, parameters, marks that switch a test off, and literal values.
func assertions(test string) []string {
	return scan.Expectations(lines(page().Mask(test)), expectationPattern, blockPattern.MatchString)
}

// folded is a text with its white space folded.
func folded(text string) string { return strings.Join(strings.Fields(text), " ") }

// lines cuts a masked text into logical lines.
func lines(bare, masked string) []scan.Line {
	return scan.Lines(bare, masked, func(line, _ string) bool { return strings.HasSuffix(line, "\\") })
}
