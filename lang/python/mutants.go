package python

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

// mutants lists small changes of a source: what a function returns, what a
// condition asks, an operator, a constant.
func mutants(content string) []testrun.Mutant {
	m := &mutator{source: parse(content)}
	for i := range m.statements {
		m.statement(i)
	}
	return m.found
}

// mutator collects the mutants of a file.
type mutator struct {
	*source
	found []testrun.Mutant
}

// note adds a mutant that puts a text in the place of an expression.
func (m *mutator) note(rank int, e expr, text, what string) {
	at := e.span()
	made := testrun.MutantOf(m.text, testrun.Edit{Span: at, Text: text}, what+" for "+m.read(at))
	made.Rank = rank
	m.found = append(m.found, made)
}

// Statements that only declare, or that say what went wrong, and values that tools
// read.
var (
	silentPattern  = lazyregexp.New(`^(?:import|from|def|class|async|@|raise|assert|global|nonlocal|del|pass|break|continue|case|match|except|type|try|finally|else)(?:\W|$)`)
	messagePattern = lazyregexp.New(`(?:^|\.)(?:print|warn|debug|info|warning|error|exception|critical|log|fail|TypeVar|NewType|ParamSpec|TypedDict|overload)\s*\($`)
)

// statement collects the mutants of a statement.
func (m *mutator) statement(index int) {
	st := m.statements[index]
	e, masked := st.expr, m.of(st.span())
	switch {
	case silentPattern.MatchString(masked) || len(e) == 1 && e[0].kind == quoted || strings.HasPrefix(masked, "__"):
	case m.is(e, 0, "return", "yield"):
		m.returned(e[1:])
	case m.is(e, 0, "if", "elif") && (len(e) == 1 || m.is(e, 1, "TYPE_CHECKING", "__name__")):
	case m.is(e, 0, "if", "elif"):
		m.note(1, e[1:], " not ("+m.read(e[1:].span())+")", "not (…)")
		m.parts(e[1:])
	case m.is(e, 0, "for"):
		if in := slices.IndexFunc(e, func(t token) bool { return m.of(t.Span) == "in" }); in > 0 {
			m.parts(e[in+1:])
		}
	default:
		m.parts(m.assigned(e))
	}
}

// assigned is a statement without the type that it gives a variable.
func (m *mutator) assigned(e expr) expr {
	if !slices.ContainsFunc(e, func(t token) bool { return m.of(t.Span) == ":" }) {
		return e
	}
	return e[1+slices.IndexFunc(e, func(t token) bool { return m.of(t.Span) == "=" }):]
}

// returned mutates what a function returns: it is another value of the same type.
func (m *mutator) returned(e expr) {
	if len(e) == 0 || m.is(e, 0, "from", "None") {
		return
	}
	m.note(0, e, anotherResult+"(("+m.read(e.span())+"))", "another value")
	m.parts(e)
}

// anotherResult is another value of the type of the value that it is called with,
// and nothing where none is known.
const anotherResult = `(lambda v: not v if isinstance(v, bool) else v + 1 if isinstance(v, (int, float, complex)) else v + "~" if isinstance(v, str)` +
	` else v + b"~" if isinstance(v, bytes) else [*v, None] if isinstance(v, list) else (*v, None) if type(v) is tuple` +
	` else {**v, "~": None} if isinstance(v, dict) else {*v, "~"} if isinstance(v, set) else 1 if v is None else None)`

// parts mutates operators and constants, in brackets too.
func (m *mutator) parts(e expr) {
	for i, t := range e {
		switch t.kind {
		case special, word:
			m.operator(e, i)
		case number:
			m.note(3, e[i:i+1], "("+m.read(t.Span)+" + 1)", m.read(t.Span)+" + 1")
		case quoted:
			m.str(e, i)
		case group:
			if !messagePattern.MatchString(m.of(e[:i+1].span())[:t.Start+1-e[0].Start]) {
				m.parts(m.inner(t))
			}
		}
	}
}

// str mutates a string. Parts that stand side by side are one.
func (m *mutator) str(e expr, i int) {
	if i > 0 && e[i-1].kind == quoted || i+1 < len(e) && e[i+1].kind == quoted {
		return
	}
	mark := `"~"`
	if m.isBytes(e[i]) {
		mark = `b"~"`
	}
	text := m.read(e[i].Span)
	m.note(3, e[i:i+1], "("+text+" + "+mark+")", text+" + "+mark)
}

// operator mutates an operator between two operands, or a constant that is a word.
func (m *mutator) operator(e expr, i int) {
	sign := m.of(e[i].Span)
	to := swapped()[sign]
	switch {
	case sign == "True" || sign == "False":
	case i == 0 || i+1 == len(e) || to == "":
		return
	case strings.ContainsAny(sign, "+-*/%&|") && !strings.HasSuffix(sign, "=") && (e[i-1].kind == special || m.is(e, i-1, "return", "and", "or", "not", "in", "else", "if", "lambda", "yield")):
		return // it has one operand
	case sign == "in" && (m.is(e, i-1, "not") || slices.ContainsFunc(e[:i], func(t token) bool { return m.of(t.Span) == "for" })):
		return
	case sign == "is" && m.is(e, i+1, "not"):
		m.note(2, e[i:i+2], "is", "is")
		return
	}
	m.note(2, e[i:i+1], to, to)
}

// swapped are the operators that take each other's place.
func swapped() map[string]string {
	return map[string]string{
		"+": "-", "-": "+", "*": "+", "/": "*", "//": "*", "%": "*", "**": "*", "&": "|", "|": "&", "^": "&", "<<": ">>", ">>": "<<",
		"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "and": "or", "or": "and", "in": "not in", "is": "is not",
		"+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "//=": "*=", "%=": "*=", "|=": "&=", "&=": "|=",
		"True": "False", "False": "True",
	}
}
