package ruby

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/output"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// mask returns a text in which comments are blank, and one in which the
// contents of strings, heredocs and regular expressions are hidden, too.
func mask(text string) (bare, masked string) {
	m := masker{Masker: scan.NewMasker(text), fresh: true}
	for m.At < len(text) {
		m.step()
	}
	return string(m.Bare), string(m.Masked)
}

// masker hides what is no code, as scan.Masker does, and knows Ruby's literals.
type masker struct {
	scan.Masker
	fresh    bool     // at the beginning of a line
	before   byte     // the last sign that is no white space
	heredocs []string // the ends of those that begin on the next line
}

// step takes in the next sign, comment or literal.
func (m *masker) step() {
	rest := m.Text[m.At:]
	c := rest[0]
	switch {
	case m.fresh && strings.HasPrefix(rest, "=begin"):
		m.Blank(scan.UpTo(rest, "\n=end") + len("\n=end"))
	case m.fresh && output.HasAnyPrefix(rest, "__END__\n", "__END__\r"):
		m.Blank(len(rest))
	case c == '#':
		m.Blank(scan.UpTo(rest, "\n"))
		return
	case c == '\n':
		m.fresh = true
		m.At++
		m.bodies()
		return
	case c == '$' && len(rest) > 1 && strings.IndexByte("'\"`", rest[1]) >= 0:
		m.At += 2 // a global variable
	case !m.literal(rest):
		m.At++
	}
	m.fresh = false
	if c != ' ' && c != '\t' && c != '\r' {
		m.before = c
	}
}

// literal takes a string, a regular expression or the beginning of a heredoc
// in, where one begins here.
func (m *masker) literal(rest string) bool {
	c := rest[0]
	switch {
	case c == '"' || c == '`' || c == '\'':
		m.until(m.At+1, c, c)
		return true
	case c == '/' && m.operand(rest):
		m.until(m.At+1, '/', '/')
		return true
	case c == '?' && len(rest) > 1 && m.operand(rest) && strings.IndexByte("'\"`#", rest[1]) >= 0:
		m.At += 2 // a character
		return true
	}
	return c == '%' && m.operand(rest) && m.percent(rest) || c == '<' && m.heredoc(rest)
}

var (
	percentPattern = lazyregexp.New(`^%[wWiIqQrsx]?([^\w\s])`)
	heredocPattern = lazyregexp.New("^<<[~-]?([\"'`]?)([A-Z_]\\w*)")
)

// percent takes in a literal such as %w[a b].
func (m *masker) percent(rest string) bool {
	hit := percentPattern.FindStringSubmatch(rest)
	if hit == nil {
		return false
	}
	open := hit[1][0]
	m.until(m.At+len(hit[0])-len(hit[1])+1, open, closing(open))
	return true
}

// heredoc takes in the mark of a heredoc; its body begins on the next line.
func (m *masker) heredoc(rest string) bool {
	hit := heredocPattern.FindStringSubmatch(rest)
	if hit == nil {
		return false
	}
	m.heredocs = append(m.heredocs, hit[2])
	m.At += len(hit[0]) + len(hit[1])
	return true
}

// operand reports whether a value, and no operator, may stand here.
func (m *masker) operand(rest string) bool {
	if m.before == 0 || m.fresh || strings.IndexByte("(,=:[!&|?{};+-~^<>%*\n", m.before) >= 0 {
		return true
	}
	spaced := m.At > 0 && strings.IndexByte(" \t", m.Text[m.At-1]) >= 0
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
func (m *masker) until(start int, open, end byte) {
	depth, i := 0, start
	for ; i < len(m.Text); i++ {
		switch c := m.Text[i]; {
		case c == '\\':
			i++
		case c == '#' && end != '\'' && strings.HasPrefix(m.Text[i:], "#{"):
			i = m.inserted(i + 2)
		case c == end && depth == 0:
			m.Hide(start, i)
			m.At = i + 1
			return
		case c == end:
			depth--
		case c == open:
			depth++
		}
	}
	m.Hide(start, len(m.Text))
	m.At = len(m.Text)
}

// inserted is the place of the brace that closes an expression in a string.
func (m *masker) inserted(i int) int {
	for depth := 0; i < len(m.Text); i++ {
		switch m.Text[i] {
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return i
			}
			depth--
		case '"', '\'':
			i += 1 + scan.UpTo(m.Text[min(i+1, len(m.Text)):], m.Text[i:i+1])
		}
	}
	return i
}

// bodies hides the heredocs whose bodies begin here, as a part of the statement
// before.
func (m *masker) bodies() {
	for _, name := range m.heredocs {
		start := m.At - 1
		for m.At < len(m.Text) {
			line := m.Text[m.At : m.At+scan.UpTo(m.Text[m.At:], "\n")]
			m.At += len(line)
			if strings.TrimSpace(line) == name {
				break
			}
			m.At = min(m.At+1, len(m.Text))
		}
		m.Hide(max(0, start), m.At)
		m.At = min(m.At+1, len(m.Text))
	}
	m.heredocs = nil
}

// continuedPattern finds that a line goes on in the next one.
var continuedPattern = lazyregexp.New(`(?:[,.\\+*=]|&&|\|\||\b(?:and|or|not))$`)

// statements cuts a source into statements.
func statements(text string) []scan.Line {
	bare, masked := mask(text)
	return scan.Lines(bare, masked, func(line, next string) bool {
		return continuedPattern.MatchString(line[max(0, len(line)-len(" and")):]) || strings.HasPrefix(next, "&.") || strings.HasPrefix(next, ".") && !strings.HasPrefix(next, "..")
	})
}

var (
	methodPattern = lazyregexp.New(`^\s*(?:\w+ +)?def +(test\w*[?!]?)`)
	titlePattern  = lazyregexp.New(`^\s*(test|define_method|x?it|f?it|specify|example|scenario)[ (]+['"](_*)['"]`)

	expectationPattern = lazyregexp.New(`^(?:assert|refute|flunk|skip|pending|raise)\w*\b|^end\.|\b(?:must|wont)_\w+|\b(?:expect|is_expected|should|should_not)\b` +
		`|^x(?:it|describe|context|specify|example)\b|^(?:it_behaves_like|include_examples|let!?|subject)\b|\b(?:skip|pending|focus)(?::| =>)` +
		`|^[\w, @]+ \|?\|?= ?[-+]?(?:[\d"'\[{%:<]|true\b|false\b|nil\b)`)
	controlPattern = lazyregexp.New(`^(?:if|unless|elsif|else|case|when|in|while|until|for|begin|rescue|ensure)\b|\bdo(?: *\|.*\|)?$`)
	// Blocks that frame tests say nothing of what one expects.
	framePattern = lazyregexp.New(`^(?:RSpec\.)?[fx]?(?:describe|context|feature|it|specify|example|scenario|test|before|after|around|setup|teardown|let!?|subject|shared_\w+)\b`)
)

// declared names the tests: methods as they are called, blocks by their
// titles. Rails makes a method of a title.
func declared(test string) []string {
	var out []string
	for _, line := range statements(test) {
		if hit := methodPattern.FindStringSubmatch(line.Masked); hit != nil {
			out = append(out, hit[1])
		}
		at := titlePattern.FindStringSubmatchIndex(line.Masked)
		if at == nil {
			continue
		}
		title := scan.Unquoted(line.Bare[at[4]:at[5]])
		switch line.Masked[at[2]:at[3]] {
		case "test":
			title = "test_" + strings.Join(strings.Fields(title), "_")
		case "define_method":
			if !strings.HasPrefix(title, "test") {
				continue
			}
		}
		out = append(out, title)
	}
	return out
}

// assertions lists what the tests expect: assertions, marks that switch a
// test off, and literal values, with the conditions they stand under.
func assertions(test string) []string {
	return scan.Expectations(statements(test), expectationPattern, func(masked string) bool {
		return controlPattern.MatchString(masked) && !framePattern.MatchString(masked)
	})
}
