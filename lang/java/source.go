package java

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

var (
	annotationPattern     = lazyregexp.New(`@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Theory|Property)\b`)
	nextAnnotationPattern = lazyregexp.New(`^\s*@[\w.]+\s*`)
	methodPattern         = lazyregexp.New("^[^;{}()]*?(?:(\\w+)|`(_*)`)\\s*\\(")
	oldTestPattern        = lazyregexp.New(`\bpublic\s+void\s+(test\w*)\s*\(`) // JUnit 3 goes by the name

	expectationPattern = lazyregexp.New(`\b(?:assert\w*|fail|expect\w*|verify\w*|assume\w*|then\w*)\s*\(` +
		`|\bassert\b` +
		`|@(?:\w+Source|Disabled\w*|Enabled\w*|Ignore|Timeout|RepeatedTest|Parameters|Test)\s*\(|@(?:Disabled|Ignore)\b` +
		`|\b(?:final|var|int|long|double|float|char|byte|short|boolean|String|BigDecimal|List<\w+>|\w+\[\])\s+\w+\s*=\s*(?:[-\d'"{]|(?:true|false|null)\b|new\s+[\w<>]+\[\]|List\.of|Arrays\.asList|Map\.of|Set\.of)` +
		`|\b(?:Arguments\.(?:of|arguments)|arguments)\s*\(`)
)

// declared names the test methods, in order.
func declared(test string) []string {
	_, masked := scan.MaskC(test)
	var out []string
	last := -1
	for _, at := range annotationPattern.FindAllStringIndex(masked, -1) {
		if at[0] < last {
			continue
		}
		if name, end := methodName(masked, at[1]); name != "" {
			out, last = append(out, name), end
		}
	}
	for _, hit := range oldTestPattern.FindAllStringSubmatch(masked, -1) {
		if !slices.Contains(out, hit[1]) {
			out = append(out, hit[1])
		}
	}
	return out
}

// methodName finds the method that an annotation stands before: the name before
// the first bracket that belongs to no annotation.
func methodName(masked string, at int) (name string, end int) {
	if strings.HasPrefix(strings.TrimLeft(masked[at:], " \t\n"), "(") {
		at = scan.Closing(masked, at+strings.IndexByte(masked[at:], '('))
	}
	for {
		hit := nextAnnotationPattern.FindStringIndex(masked[at:])
		if hit == nil {
			break
		}
		if at += hit[1]; strings.HasPrefix(masked[at:], "(") {
			at = scan.Closing(masked, at)
		}
	}
	hit := methodPattern.FindStringSubmatchIndex(masked[at:])
	if hit == nil || hit[2] < 0 {
		return "", at
	}
	return masked[at+hit[2] : at+hit[3]], at + hit[1]
}

// assertions lists what the tests expect: assertions with all that is
// chained to them, the rows of tables, marks that switch a test off, and literal
// values.
func assertions(test string) []string {
	bare, masked := scan.MaskC(test)
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
