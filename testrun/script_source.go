package testrun

import (
	"regexp"
	"slices"
	"strings"
)

// jsMask returns a text of the same length in which comments are blank, and
// one in which the contents of strings and regular expressions are, too.
func jsMask(text string) (bare, masked string) {
	m := jsMasker{masker: newMasker(text)}
	for m.at < len(text) {
		m.step()
	}
	return string(m.bare), string(m.masked)
}

type jsMasker struct {
	masker
	before byte // the last sign that is no white space
}

// step takes in the next sign, comment, string or regular expression.
func (m *jsMasker) step() {
	rest := m.text[m.at:]
	c := rest[0]
	switch {
	case strings.HasPrefix(rest, "//"):
		m.blank(upTo(rest, "\n"))
		return
	case strings.HasPrefix(rest, "/*"):
		m.blank(min(len(rest), 2+upTo(rest[2:], "*/")+2))
		return
	case c == '\'' || c == '"' || c == '`':
		m.literal(c)
	case c == '/' && (m.before == 0 || strings.IndexByte("(,=:[!&|?{};+-~^<>%", m.before) >= 0):
		m.literal(c)
	default:
		m.at++
	}
	if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
		m.before = c
	}
}

// literal hides what stands between two quotes. Only a template goes over the
// end of a line.
func (m *jsMasker) literal(quote byte) {
	i := m.at + 1
	for i < len(m.text) && m.text[i] != quote && (quote == '`' || m.text[i] != '\n') {
		if m.text[i] == '\\' {
			i++
		}
		i++
	}
	i = min(i, len(m.text))
	m.hide(m.at+1, i)
	m.at = min(i+1, len(m.text))
}

// jsDeclared names the tests by their titles, in order.
func jsDeclared(test string) []string {
	_, masked := jsMask(test)
	head := regexp.MustCompile(`(?:^|[^.\w$]|\b(?:t|ctx|context)\.)(?:test|it)(?:\.(?:only|skip|todo|concurrent|failing|fails|sequential))*\s*\(\s*(['"` + "`" + `])(_*)['"` + "`" + `]`)
	var out []string
	for _, at := range head.FindAllStringSubmatchIndex(masked, -1) {
		out = append(out, unquoted(test[at[4]:at[5]]))
	}
	return out
}

// jsAssertions lists what the tests expect: assertions with all that is chained
// to them, tables, marks that switch a test off, and literal values.
func jsAssertions(test string) []string {
	bare, masked := jsMask(test)
	head := regexp.MustCompile(`\b(?:expect|assert)(?:\.\w+)*\s*\(` +
		`|\b(?:test|it|describe|suite)(?:\.\w+)*\.(?:each|for|skip|only|todo|fails|failing|skipIf|runIf)\b` +
		`|\b(?:const|let|var)\s+[\w$]+\s*=\s*(?:[-\d'"` + "`" + `\[{]|(?:true|false|null|undefined)\b)`)
	return headed(bare, masked, head, jsExpectation)
}

// jsExpectation is the end of an expectation of which the head is known.
func jsExpectation(masked string, start, end int) int {
	switch head := masked[start:end]; {
	case hasPrefix(head, "const", "let", "var"):
		return jsStatement(masked, end-1)
	case strings.HasSuffix(head, "("):
		return jsChain(masked, jsClosing(masked, end-1))
	case strings.HasSuffix(head, "each"), strings.HasSuffix(head, "for"), strings.HasSuffix(head, "If"):
		if strings.HasPrefix(masked[end:], "(") {
			return jsClosing(masked, end)
		}
	}
	return end
}

// jsStatement is the end of a statement: a semicolon or the end of a line,
// outside brackets and templates.
func jsStatement(masked string, at int) int {
	for at < len(masked) {
		switch c := masked[at]; {
		case slices.Contains([]byte("([{"), c):
			at = jsClosing(masked, at)
		case c == '`':
			at += 1 + min(len(masked)-at-1, upTo(masked[at+1:], "`")+1)
		case c == ';' || c == '\n':
			return at
		default:
			at++
		}
	}
	return len(masked)
}
