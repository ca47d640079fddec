package testrun

import (
	"bytes"
	"regexp"
	"strings"
)

// javaMask returns a text of the same length in which comments are blank, and
// one in which the contents of strings are, too.
func javaMask(text string) (bare, masked string) {
	b, m := []byte(text), []byte(text)
	for at := 0; at < len(text); {
		rest := text[at:]
		var size int
		switch {
		case strings.HasPrefix(rest, "//"):
			size = upTo(rest, "\n")
			blankOut(b[at : at+size])
			blankOut(m[at : at+size])
		case strings.HasPrefix(rest, "/*"):
			size = min(len(rest), 2+upTo(rest[2:], "*/")+2)
			blankOut(b[at : at+size])
			blankOut(m[at : at+size])
		case strings.HasPrefix(rest, `"""`):
			size = min(len(rest), 3+upTo(rest[3:], `"""`)+3)
			maskOut(m[at+1 : at+size-1])
		case strings.HasPrefix(rest, `R"`): // of C++
			size = rawSize(rest)
			maskOut(m[min(at+2, at+size) : at+size])
		case rest[0] == '"' || rest[0] == '\'' && charLiteral(rest):
			size = quotedSize(rest)
			maskOut(m[at+1 : max(at+1, at+size-1)])
		default:
			size = 1
		}
		at += size
	}
	return string(b), string(m)
}

// rawSize is the length of a literal R"mark(…)mark" of C++.
func rawSize(text string) int {
	mark := upTo(text[2:], "(")
	if mark > 16 {
		return 2
	}
	end := ")" + text[2:2+mark] + `"`
	return min(len(text), 2+mark+upTo(text[2+mark:], end)+len(end))
}

// charLiteral reports whether a text begins with a literal of one character. In
// C++ a quote may also stand within a number.
func charLiteral(text string) bool {
	size := quotedSize(text)
	return size >= 3 && size <= 12 && text[size-1] == '\''
}

// quotedSize is the length of a literal that does not go over the end of its line.
func quotedSize(text string) int {
	i := 1
	for i < len(text) && text[i] != text[0] && text[i] != '\n' {
		if text[i] == '\\' {
			i++
		}
		i++
	}
	return min(i+1, len(text))
}

// blankOut takes a part of a text out, but for the ends of its lines.
func blankOut(part []byte) {
	for i, c := range part {
		if c != '\n' {
			part[i] = ' '
		}
	}
}

// maskOut makes a part of a text unreadable.
func maskOut(part []byte) { copy(part, bytes.Repeat([]byte("_"), len(part))) }

// javaDeclared names the test methods, in order.
func javaDeclared(test string) []string {
	_, masked := javaMask(test)
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
		at = jsClosing(masked, at+strings.IndexByte(masked[at:], '('))
	}
	for {
		hit := annotation.FindStringIndex(masked[at:])
		if hit == nil {
			break
		}
		if at += hit[1]; strings.HasPrefix(masked[at:], "(") {
			at = jsClosing(masked, at)
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
	bare, masked := javaMask(test)
	head := regexp.MustCompile(`\b(?:assert\w*|fail|expect\w*|verify\w*|assume\w*|then\w*)\s*\(` +
		`|\bassert\b` +
		`|@(?:\w+Source|Disabled\w*|Enabled\w*|Ignore|Timeout|RepeatedTest|Parameters|Test)\s*\(|@(?:Disabled|Ignore)\b` +
		`|\b(?:final|var|int|long|double|float|char|byte|short|boolean|String|BigDecimal|List<\w+>|\w+\[\])\s+\w+\s*=\s*(?:[-\d'"{]|(?:true|false|null)\b|new\s+[\w<>]+\[\]|List\.of|Arrays\.asList|Map\.of|Set\.of)` +
		`|\b(?:Arguments\.(?:of|arguments)|arguments)\s*\(`)
	return headed(bare, masked, head, javaExpectation)
}

// javaExpectation is the end of an expectation of which the head is known.
func javaExpectation(masked string, start, end int) int {
	switch head := masked[start:end]; {
	case strings.HasPrefix(head, "@") && !strings.HasSuffix(head, "("):
		return end
	case strings.HasSuffix(head, "("):
		return jsChain(masked, jsClosing(masked, end-1))
	}
	return statementEnd(masked, start)
}

// statementEnd is the place of the semicolon that ends a statement, or the end
// of the text.
func statementEnd(masked string, at int) int {
	for at < len(masked) {
		switch masked[at] {
		case '(', '[', '{':
			at = jsClosing(masked, at)
		case ';':
			return at
		default:
			at++
		}
	}
	return len(masked)
}
