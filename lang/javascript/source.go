package javascript

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/output"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// mask returns a text of the same length in which comments are blank, and
// one in which the contents of strings and regular expressions are, too.
func mask(text string) (bare, masked string) {
	m := masker{Masker: scan.NewMasker(text)}
	for m.At < len(text) {
		m.step()
	}
	return string(m.Bare), string(m.Masked)
}

// masker hides what is no code, as scan.Masker does, and knows regular expressions
// and templates.
type masker struct {
	scan.Masker
	before byte // the last sign that is no white space
}

// step takes in the next sign, comment, string or regular expression.
func (m *masker) step() {
	rest := m.Text[m.At:]
	c := rest[0]
	switch {
	case strings.HasPrefix(rest, "//"):
		m.Blank(scan.UpTo(rest, "\n"))
		return
	case strings.HasPrefix(rest, "/*"):
		m.Blank(min(len(rest), 2+scan.UpTo(rest[2:], "*/")+2))
		return
	case c == '\'' || c == '"' || c == '`':
		m.literal(c)
	case c == '/' && (m.before == 0 || strings.IndexByte("(,=:[!&|?{};+-~^<>%", m.before) >= 0):
		m.literal(c)
	default:
		m.At++
	}
	if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
		m.before = c
	}
}

// literal hides what stands between two quotes. Only a template goes over the
// end of a line.
func (m *masker) literal(quote byte) {
	i := m.At + 1
	for i < len(m.Text) && m.Text[i] != quote && (quote == '`' || m.Text[i] != '\n') {
		if m.Text[i] == '\\' {
			i++
		}
		i++
	}
	i = min(i, len(m.Text))
	m.Hide(m.At+1, i)
	m.At = min(i+1, len(m.Text))
}

var (
	testPattern        = lazyregexp.New(`(?:^|[^.\w$]|\b(?:t|ctx|context)\.)(?:test|it)(?:\.(?:only|skip|todo|concurrent|failing|fails|sequential))*\s*\(\s*(['"` + "`" + `])(_*)['"` + "`" + `]`)
	expectationPattern = lazyregexp.New(`\b(?:expect|assert)(?:\.\w+)*\s*\(` +
		`|\b(?:test|it|describe|suite)(?:\.\w+)*\.(?:each|for|skip|only|todo|fails|failing|skipIf|runIf)\b` +
		`|\b(?:const|let|var)\s+[\w$]+\s*=\s*(?:[-\d'"` + "`" + `\[{]|(?:true|false|null|undefined)\b)`)
)

// declared names the tests by their titles, in order.
func declared(test string) []string {
	_, masked := mask(test)
	var out []string
	for _, at := range testPattern.FindAllStringSubmatchIndex(masked, -1) {
		out = append(out, scan.Unquoted(test[at[4]:at[5]]))
	}
	return out
}

// assertions lists what the tests expect: assertions with all that is chained
// to them, tables, marks that switch a test off, and literal values.
func assertions(test string) []string {
	bare, masked := mask(test)
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
