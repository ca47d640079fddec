package javascript

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

// mutants lists small changes of a source: what a condition asks, an operator, a
// constant, what is returned.
func mutants(content string) []testrun.Mutant {
	m := mutator{code: newCode(content)}
	for i := 0; i < len(m.toks); {
		if end := m.inert(i); end > i {
			i = end
			continue
		}
		m.visit(i)
		i++
	}
	return m.found
}

// mutator collects the mutants of a file.
type mutator struct {
	*code
	found []testrun.Mutant
	line  int // of the last mutant, and where it begins
	start int
}

// note adds a mutant that puts a text in the place of some tokens.
func (m *mutator) note(rank int, p part, text string) {
	s := m.span(p)
	if s.Start < m.start {
		m.line, m.start = 0, 0
	}
	m.line += strings.Count(m.src[m.start:s.Start], "\n")
	m.start = s.Start
	m.found = append(m.found, testrun.Mutant{
		Line: m.line + 1, Rank: rank, What: text + " for " + m.text(p), Edit: testrun.Edit{Span: s, Text: text},
	})
}

// inert is the place behind what begins at a place and does nothing when it runs,
// or only says something: imports, types, messages, the heads of loops.
func (m *mutator) inert(i int) int {
	switch s := m.at(i); {
	case m.kind(i) != wordKind || m.at(i-1) == ".":
		return i
	case s == "import" && m.at(i+1) != "(", s == "export" && slices.Contains([]string{"*", "{", "type"}, m.at(i+1)),
		s == "declare", s == "type" && m.kind(i+1) == wordKind && (m.at(i+2) == "=" || m.at(i+2) == "<"):
		return m.statementEnd(i)
	case s == "interface" && m.kind(i+1) == wordKind:
		if open := m.find(part{i, len(m.toks)}, "{"); open > 0 {
			return m.mate[open] + 1
		}
	case s == "throw", s == "require", s == "import":
		return m.expressionEnd(i + 1)
	case (s == "for" || s == "while") && m.at(i+1) == "(":
		return m.mate[i+1] + 1 // or it may never end
	case s == "console" && m.at(i+1) == "." && m.at(i+3) == "(":
		return m.mate[i+3] + 1
	}
	return i
}

// statementEnd is the place behind the statement that begins at a place.
func (m *mutator) statementEnd(i int) int {
	for at := i + 1; at < len(m.toks); at++ {
		switch s := m.at(at); {
		case s == ";":
			return at + 1
		case m.broken(at) && m.begins(at) && !m.continues(at-1) && m.at(at-1) != "from" && m.at(at-1) != "type":
			return at
		case s == "(" || s == "[" || s == "{":
			at = max(at, m.mate[at])
		}
	}
	return len(m.toks)
}

// visit notes the mutants of a token.
func (m *mutator) visit(i int) {
	one := part{i, i + 1}
	switch s := m.at(i); m.kind(i) {
	case wordKind:
		m.word(i, s)
	case signKind:
		if s == "=>" && m.at(i+1) != "{" {
			m.returned(i + 1)
		}
		if to := swapped(s); to != "" && m.binary(i) {
			m.note(2, one, to)
		}
	case numberKind:
		if !m.key(i) {
			m.note(3, one, "("+s+" + 1"+map[bool]string{true: "n"}[strings.HasSuffix(s, "n")]+")")
		}
	case textKind, templateKind:
		if !m.key(i) && m.valued(i) {
			m.note(3, one, "("+s+` + "~")`)
		}
	case patternKind, commentKind:
	}
}

// word notes the mutants of what a keyword begins.
func (m *mutator) word(i int, s string) {
	if m.at(i-1) == "." || m.key(i) {
		return
	}
	switch s {
	case "if":
		if cond := m.inside(i + 1); m.at(i+1) == "(" && !cond.empty() {
			m.note(1, cond, "!("+m.text(cond)+")")
		}
	case "true", "false":
		if m.valued(i) {
			m.note(3, part{i, i + 1}, map[string]string{"true": "false", "false": "true"}[s])
		}
	case "return":
		if !m.broken(i + 1) {
			m.returned(i + 1)
		}
	}
}

// returned mutates the value that a function returns.
func (m *mutator) returned(at int) {
	value := part{at, m.expressionEnd(at)}
	text := m.text(value)
	switch {
	case value.empty() || m.at(at) == "new" || m.find(value, "=>", "?", "&&", "||", "??") >= 0:
	case m.find(value, "===", "!==", "==", "!=", "<=", ">=") > at || m.at(at) == "!":
		m.note(0, value, "!("+text+")")
	case m.find(value, "+", "-", "*", "/", "%") > at && m.kind(at) != textKind:
		m.note(0, value, "("+text+" + 1)")
	case (m.at(at-1) == "return" || value.to == at+1 && m.kind(at) == wordKind) && text != "undefined":
		m.note(4, value, "undefined")
	}
}

// key reports whether a token names a property, or stands in a type.
func (m *mutator) key(i int) bool {
	return m.at(i+1) == ":" && slices.Contains([]string{"{", ",", ";"}, m.at(i-1)) || m.at(i+1) == "|" || m.at(i-1) == "|"
}

// valued reports whether a literal is a value: no statement by itself, no type, and
// nothing of JSX.
func (m *mutator) valued(i int) bool {
	before := m.at(i - 1)
	switch {
	case before == "" || before == ";" || before == "as" || before == "from" || before == "<" || before == "extends" || before == "keyof":
		return false
	case before == "{" || before == "}":
		return false // a directive
	case m.kind(i-1) == wordKind:
		return slices.Contains([]string{"return", "case", "in", "of", "typeof", "await", "yield", "else", "default"}, before)
	case m.kind(i) == templateKind && (before == ")" || before == "]"): // a tag's
		return false
	case before == "=" && i > 1 && m.toks[i].start == m.toks[i-1].end && m.toks[i-1].start == m.toks[i-2].end:
		return false // an attribute of JSX
	}
	return true
}

var spacePattern = lazyregexp.New(`^\s+$`)

// binary reports whether an operator stands between two values.
func (m *mutator) binary(i int) bool {
	if i == 0 || i+1 >= len(m.toks) {
		return false
	}
	before, behind := m.toks[i-1], m.toks[i+1]
	left, right := m.src[before.end:m.toks[i].start], m.src[m.toks[i].end:behind.start]
	switch m.at(i) {
	case "<", ">", "<<", ">>", "*": // as a rule a type, JSX or a generator, if nothing stands between
		return spacePattern.MatchString(left) && spacePattern.MatchString(right) && m.operand(i-1)
	case "++", "--":
		return m.kind(i-1) == wordKind || m.kind(i+1) == wordKind
	}
	return m.operand(i - 1)
}

// operand reports whether a token ends a value.
func (m *mutator) operand(i int) bool {
	switch s := m.at(i); m.kind(i) {
	case wordKind:
		return !m.continues(i) && s != "case" && s != "export" && s != "default" && s != "function"
	case signKind:
		return s == ")" || s == "]" || s == "}"
	case numberKind, textKind, templateKind, patternKind, commentKind:
	}
	return true
}

// swapped is the operator that takes another's place; empty where none does.
func swapped(operator string) string {
	return map[string]string{
		"+": "-", "-": "+", "*": "+", "/": "*", "%": "*", "**": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
		"===": "!==", "!==": "===", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "??": "&&", "<<": ">>", ">>": "<<",
		"+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "%=": "*=", "++": "--", "--": "++",
	}[operator]
}

// directivePattern is what tools read in a comment to decide what runs.
var directivePattern = lazyregexp.New(`^#!|@ts-|@(?:jest|vitest)-|@jsx|ignore|sourceMappingURL|__PURE__|webpack|@vite|^/// *<`)

// plain is a source without its comments and its layout.
func plain(content string) string {
	var out strings.Builder
	before := token{}
	for _, t := range tokens(content) {
		s := content[t.start:t.end]
		if t.kind == commentKind && !directivePattern.MatchString(s) {
			continue
		}
		if strings.Contains(content[before.end:t.start], "\n") && restricted(content, before, s) {
			out.WriteString(";\n")
		}
		out.WriteString(s)
		out.WriteByte('\n')
		before = t
	}
	return out.String()
}

// restricted reports whether a line break between two tokens ends a statement
// although it could go on.
func restricted(content string, before token, next string) bool {
	return slices.Contains([]string{"return", "break", "continue", "throw", "yield", "async"}, content[before.start:before.end]) || next == "++" || next == "--"
}
