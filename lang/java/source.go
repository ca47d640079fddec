package java

import (
	"regexp"
	"strings"

	"github.com/git-tdd/git-tdd/testrun/scan"
)

// javaDeclared names the test methods, in order.
func javaDeclared(test string) []string {
	_, masked := scan.MaskC(test)
	mark := regexp.MustCompile(`@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Theory|Property)\b`)
	var out []string
	last := -1
	for _, at := range mark.FindAllStringIndex(masked, -1) {
		if at[0] < last {
			continue
		}
		if name, end := javaMethod(masked, at[1]); name != "" {
			out, last = append(out, name), end
		}
	}
	for _, hit := range regexp.MustCompile(`\bpublic\s+void\s+(test\w*)\s*\(`).FindAllStringSubmatch(masked, -1) {
		if len(out) == 0 || !regexp.MustCompile(`(?:^|\n)`+hit[1]+`(?:\n|$)`).MatchString(strings.Join(out, "\n")) {
			out = append(out, hit[1]) // JUnit 3 goes by the name
		}
	}
	return out
}

// javaMethod finds the method that an annotation stands before: the name before
// the first bracket that belongs to no annotation.
func javaMethod(masked string, at int) (name string, end int) {
	annotation := regexp.MustCompile(`^\s*@[\w.]+\s*`)
	if strings.HasPrefix(strings.TrimLeft(masked[at:], " \t\n"), "(") {
		at = scan.Closing(masked, at+strings.IndexByte(masked[at:], '('))
	}
	for {
		hit := annotation.FindStringIndex(masked[at:])
		if hit == nil {
			break
		}
		if at += hit[1]; strings.HasPrefix(masked[at:], "(") {
			at = scan.Closing(masked, at)
		}
	}
	hit := regexp.MustCompile("^[^;{}()]*?(?:(\\w+)|`(_*)`)\\s*\\(").FindStringSubmatchIndex(masked[at:])
	if hit == nil || hit[2] < 0 {
		return "", at
	}
	return masked[at+hit[2] : at+hit[3]], at + hit[1]
}

// javaAssertions lists what the tests expect: assertions with all that is
// chained to them, the rows of tables, marks that switch a test off, and literal
// values.
func javaAssertions(test string) []string {
	bare, masked := scan.MaskC(test)
	head := regexp.MustCompile(`\b(?:assert\w*|fail|expect\w*|verify\w*|assume\w*|then\w*)\s*\(` +
		`|\bassert\b` +
		`|@(?:\w+Source|Disabled\w*|Enabled\w*|Ignore|Timeout|RepeatedTest|Parameters|Test)\s*\(|@(?:Disabled|Ignore)\b` +
		`|\b(?:final|var|int|long|double|float|char|byte|short|boolean|String|BigDecimal|List<\w+>|\w+\[\])\s+\w+\s*=\s*(?:[-\d'"{]|(?:true|false|null)\b|new\s+[\w<>]+\[\]|List\.of|Arrays\.asList|Map\.of|Set\.of)` +
		`|\b(?:Arguments\.(?:of|arguments)|arguments)\s*\(`)
	return scan.Headed(bare, masked, head, expectation)
}

// expectation is the end of an expectation of which the head is known.
func expectation(masked string, start, end int) int {
	switch head := masked[start:end]; {
	case strings.HasPrefix(head, "@") && !strings.HasSuffix(head, "("):
		return end
	case strings.HasSuffix(head, "("):
		return scan.ChainEnd(masked, scan.Closing(masked, end-1))
	}
	return scan.StatementEnd(masked, start)
}
