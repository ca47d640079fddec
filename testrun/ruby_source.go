package testrun

import (
	"regexp"
	"strings"
)

// rubyMask returns a text in which comments are blank, and one in which the
// contents of strings, heredocs and regular expressions are hidden, too.
func rubyMask(text string) (bare, masked string) {
	m := rubyMasker{masker: newMasker(text), fresh: true}
	for m.at < len(text) {
		m.step()
	}
	return string(m.bare), string(m.masked)
}

type rubyMasker struct {
	masker
	fresh    bool     // at the beginning of a line
	before   byte     // the last sign that is no white space
	heredocs []string // the ends of those that begin on the next line
}

// step takes in the next sign, comment or literal.
func (m *rubyMasker) step() {
	rest := m.text[m.at:]
	c := rest[0]
	switch {
	case m.fresh && strings.HasPrefix(rest, "=begin"):
		m.blank(upTo(rest, "\n=end") + len("\n=end"))
	case m.fresh && hasPrefix(rest, "__END__\n", "__END__\r"):
		m.blank(len(rest))
	case c == '#':
		m.blank(upTo(rest, "\n"))
		return
	case c == '\n':
		m.fresh = true
		m.at++
		m.bodies()
		return
	case c == '$' && len(rest) > 1 && strings.IndexByte("'\"`", rest[1]) >= 0:
		m.at += 2 // a global variable
	case !m.literal(rest):
		m.at++
	}
	m.fresh = false
	if c != ' ' && c != '\t' && c != '\r' {
		m.before = c
	}
}

// literal takes a string, a regular expression or the beginning of a heredoc
// in, where one begins here.
func (m *rubyMasker) literal(rest string) bool {
	c := rest[0]
	switch {
	case c == '"' || c == '`' || c == '\'':
		m.until(m.at+1, c, c)
		return true
	case c == '/' && m.operand(rest):
		m.until(m.at+1, '/', '/')
		return true
	case c == '?' && len(rest) > 1 && m.operand(rest) && strings.IndexByte("'\"`#", rest[1]) >= 0:
		m.at += 2 // a character
		return true
	}
	return c == '%' && m.operand(rest) && m.percent(rest) || c == '<' && m.heredoc(rest)
}

// percent takes in a literal such as %w[a b].
func (m *rubyMasker) percent(rest string) bool {
	hit := regexp.MustCompile(`^%[wWiIqQrsx]?([^\w\s])`).FindStringSubmatch(rest)
	if hit == nil {
		return false
	}
	open := hit[1][0]
	m.until(m.at+len(hit[0])-len(hit[1])+1, open, closing(open))
	return true
}

// heredoc takes in the mark of a heredoc; its body begins on the next line.
func (m *rubyMasker) heredoc(rest string) bool {
	hit := regexp.MustCompile("^<<[~-]?([\"'`]?)([A-Z_]\\w*)").FindStringSubmatch(rest)
	if hit == nil {
		return false
	}
	m.heredocs = append(m.heredocs, hit[2])
	m.at += len(hit[0]) + len(hit[1])
	return true
}

// operand reports whether a value, and no operator, may stand here.
func (m *rubyMasker) operand(rest string) bool {
	if m.before == 0 || m.fresh || strings.IndexByte("(,=:[!&|?{};+-~^<>%*\n", m.before) >= 0 {
		return true
	}
	spaced := m.at > 0 && strings.IndexByte(" \t", m.text[m.at-1]) >= 0
	return spaced && len(rest) > 1 && strings.IndexByte(" \t\n=", rest[1]) < 0
}

// closing is the bracket that closes one, or the sign itself.
func closing(open byte) byte {
	if i := strings.IndexByte("([{<", open); i >= 0 {
		return ")]}>"[i]
	}
	return open
}

// until hides a literal from a place to where it is closed.
func (m *rubyMasker) until(start int, open, end byte) {
	depth, i := 0, start
	for ; i < len(m.text); i++ {
		switch c := m.text[i]; {
		case c == '\\':
			i++
		case c == '#' && end != '\'' && strings.HasPrefix(m.text[i:], "#{"):
			i = m.inserted(i + 2)
		case c == end && depth == 0:
			m.hide(start, i)
			m.at = i + 1
			return
		case c == end:
			depth--
		case c == open:
			depth++
		}
	}
	m.hide(start, len(m.text))
	m.at = len(m.text)
}

// inserted is the place of the brace that closes an expression in a string.
func (m *rubyMasker) inserted(i int) int {
	for depth := 0; i < len(m.text); i++ {
		switch m.text[i] {
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return i
			}
			depth--
		case '"', '\'':
			i += 1 + upTo(m.text[min(i+1, len(m.text)):], m.text[i:i+1])
		}
	}
	return i
}

// bodies hides the heredocs whose bodies begin here, as a part of the statement
// before.
func (m *rubyMasker) bodies() {
	for _, name := range m.heredocs {
		start := m.at - 1
		for m.at < len(m.text) {
			line := m.text[m.at : m.at+upTo(m.text[m.at:], "\n")]
			m.at += len(line)
			if strings.TrimSpace(line) == name {
				break
			}
			m.at = min(m.at+1, len(m.text))
		}
		m.hide(max(0, start), m.at)
		m.at = min(m.at+1, len(m.text))
	}
	m.heredocs = nil
}

// rubyLines are the statements of a source.
func rubyLines(text string) []codeLine {
	bare, masked := rubyMask(text)
	goesOn := regexp.MustCompile(`(?:[,.\\+*=]|&&|\|\||\b(?:and|or|not))$`)
	return codeLines(bare, masked, func(line, next string) bool {
		return goesOn.MatchString(line[max(0, len(line)-len(" and")):]) || strings.HasPrefix(next, "&.") || strings.HasPrefix(next, ".") && !strings.HasPrefix(next, "..")
	})
}

// rubyDeclared names the tests: methods as they are called, blocks by their
// titles. Rails makes a method of a title.
func rubyDeclared(test string) []string {
	method := regexp.MustCompile(`^\s*(?:\w+ +)?def +(test\w*[?!]?)`)
	titled := regexp.MustCompile(`^\s*(test|x?it|f?it|specify|example|scenario)[ (]+['"](_*)['"]`)
	var out []string
	for _, line := range rubyLines(test) {
		if hit := method.FindStringSubmatch(line.masked); hit != nil {
			out = append(out, hit[1])
		}
		at := titled.FindStringSubmatchIndex(line.masked)
		if at == nil {
			continue
		}
		title := unquoted(line.bare[at[4]:at[5]])
		if line.masked[at[2]:at[3]] == "test" {
			title = "test_" + strings.Join(strings.Fields(title), "_")
		}
		out = append(out, title)
	}
	return out
}

// rubyAssertions lists what the tests expect: assertions, marks that switch a
// test off, and literal values, with the conditions they stand under.
func rubyAssertions(test string) []string {
	expects := regexp.MustCompile(`^(?:assert|refute|flunk|skip|pending|raise)\w*\b|^end\.|\b(?:must|wont)_\w+|\b(?:expect|is_expected|should|should_not)\b` +
		`|^x(?:it|describe|context|specify|example)\b|^(?:it_behaves_like|include_examples|let!?|subject)\b|\b(?:skip|pending|focus)(?::| =>)` +
		`|^[\w, @]+ \|?\|?= ?[-+]?(?:[\d"'\[{%:<]|true\b|false\b|nil\b)`)
	control := regexp.MustCompile(`^(?:if|unless|elsif|else|case|when|in|while|until|for|begin|rescue|ensure)\b|\bdo(?: *\|.*\|)?$`)
	frame := regexp.MustCompile(`^(?:RSpec\.)?[fx]?(?:describe|context|feature|it|specify|example|scenario|test|before|after|around|setup|teardown|let!?|subject|shared_\w+)\b`)
	return expectations(rubyLines(test), expects, func(masked string) bool {
		return control.MatchString(masked) && !frame.MatchString(masked)
	})
}
