package python

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// statement is a statement of Python with white space folded, and how far it is
// indented.
type statement struct {
	indent int
	text   string
}

// statements cuts a text into statements: lines that are joined by brackets,
// triple quotes or a backslash count as one. Comments are left out.
func statements(text string) []statement {
	s := scanner{text: text, start: true}
	for s.at < len(s.text) {
		s.step()
	}
	s.end()
	return s.out
}

// scanner walks through a text, one statement at a time.
type scanner struct {
	text  string
	at    int
	depth int // of open brackets
	start bool
	line  statement
	words strings.Builder
	out   []statement
}

// step takes in the next sign, string or comment.
func (s *scanner) step() {
	c := s.text[s.at]
	switch {
	case c == '#':
		for s.at < len(s.text) && s.text[s.at] != '\n' {
			s.at++
		}
		return
	case c == '"' || c == '\'':
		s.quoted()
		return
	case c == '\\' && s.at+1 < len(s.text) && s.text[s.at+1] == '\n':
		s.words.WriteByte(' ')
		s.at += 2
		return
	case c == '\n' && s.depth == 0:
		s.end()
		s.at++
		return
	case s.start && (c == ' ' || c == '\t'):
		s.line.indent++
	default:
		s.bracket(c)
		s.start = s.start && c == '\n'
		s.words.WriteByte(c)
	}
	s.at++
}

// bracket counts what is open: a statement does not end within brackets.
func (s *scanner) bracket(c byte) {
	switch c {
	case '(', '[', '{':
		s.depth++
	case ')', ']', '}':
		s.depth = max(0, s.depth-1)
	}
}

// quoted takes in a string whole.
func (s *scanner) quoted() {
	quote := s.text[s.at : s.at+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(s.text[s.at:], triple) {
		quote = triple
	}
	end := s.at + len(quote)
	for end < len(s.text) && !strings.HasPrefix(s.text[end:], quote) {
		if len(quote) == 1 && s.text[end] == '\n' {
			break // not closed: the line ends it
		}
		if s.text[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end+len(quote), len(s.text))
	if s.text[end-1] == '\n' && len(quote) == 1 {
		end--
	}
	s.words.WriteString(s.text[s.at:end])
	s.at, s.start = end, false
}

// end ends the statement under way.
func (s *scanner) end() {
	if text := strings.Join(strings.Fields(s.words.String()), " "); text != "" {
		s.line.text = text
		s.out = append(s.out, s.line)
	}
	s.words.Reset()
	s.line, s.start, s.depth = statement{}, true, 0
}

var (
	testPattern        = lazyregexp.New(`^(?:async )?def (test\w*) ?\(`)
	expectationPattern = lazyregexp.New(`^assert\b|\bself\.(?:assert|fail|skip)\w*\(|\bpytest\.(?:raises|warns|fail|skip|xfail|approx|importorskip|param)\b` +
		`|^@(?:pytest\.mark\.(?:parametrize|skip|xfail)|unittest\.(?:skip|expectedFailure)|given|example)|\bassert_\w+\(` +
		`|^[\w, ]+ ?= ?[-+]?(?:[\d"'\[({]|[rbf]["']|True\b|False\b|None\b)`)
	blockPattern = lazyregexp.New(`^(?:if|elif|else|for|while|try|except|finally|with|async (?:for|with))\b.*:$`)
)

// declared names the test functions and methods, in order.
func declared(test string) []string {
	var out []string
	for _, line := range statements(test) {
		if hit := testPattern.FindStringSubmatch(line.text); hit != nil {
			out = append(out, hit[1])
		}
	}
	return out
}

// assertions lists what the tests expect: assertions with the conditions they
// stand under, parameters, marks that switch a test off, and literal values.
func assertions(test string) []string {
	var out []string
	var under []statement
	for _, line := range statements(test) {
		for len(under) > 0 && under[len(under)-1].indent >= line.indent {
			under = under[:len(under)-1]
		}
		if expectationPattern.MatchString(line.text) {
			var text strings.Builder
			for _, u := range under {
				text.WriteString(u.text + " ")
			}
			out = append(out, text.String()+line.text)
		}
		if blockPattern.MatchString(line.text) {
			under = append(under, line)
		}
	}
	return out
}
