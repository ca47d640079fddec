package csyntax

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
)

// Mutants lists small changes of a source: what a function returns, what a condition
// asks, an operator, a constant. Calls that only
// tell something, by the names in telling, are left alone.
func Mutants(content string, telling ...string) []testrun.Mutant {
	m := &mutator{Code: Parse(content), telling: telling}
	m.walk()
	return m.found
}

// Near lists changes that a loose test may not notice: texts with their letters in the
// other case, results that are hardly other ones, another class of error, which is the
// first of two that is not the same.
func Near(content string, errors [2]string, telling ...string) []testrun.Mutant {
	m := &mutator{Code: Parse(content), telling: telling, errors: errors}
	m.walk()
	return m.near
}

// walk collects all mutants.
func (m *mutator) walk() {
	for i := 0; i < m.Len(); {
		i = max(i+1, m.token(i))
	}
}

// mutator collects the mutants of a file.
type mutator struct {
	*Code
	telling []string
	errors  [2]string
	types   []string // what the functions return whose braces the token under way stands in; empty for other braces
	found   []testrun.Mutant
	near    []testrun.Mutant
}

// note adds a mutant that puts a text in the place of an expression. What stands in
// no function is none.
func (m *mutator) note(rank int, e Expr, text string) {
	if len(m.types) == 0 {
		return
	}
	made := m.made(e, text)
	made.Rank = rank
	m.found = append(m.found, made)
}

// made is a mutant that stands in a function.
func (m *mutator) made(e Expr, text string) testrun.Mutant {
	return testrun.MutantOf(m.Text, testrun.Edit{Span: m.Span(e), Text: text}, text+" for "+m.Source(e))
}

// token notes the mutants that begin at a token, and returns where to go on.
func (m *mutator) token(i int) int {
	switch w := m.Word(i); {
	case w == "{":
		m.types = append(m.types, m.gives(i))
	case w == "}":
		m.types = m.types[:max(0, len(m.types)-1)]
	case w == "#":
		return m.lineEnd(i)
	case w == "@":
		return m.annotation(i)
	case w == "throw":
		m.thrown(i)
		return m.statement(i)
	case w == "import" || w == "package" || w == "using" || w == "static_assert" || w == "case":
		return m.statement(i)
	case slices.Contains(m.telling, w) && m.Is(i+1, "("):
		return m.Group(i + 1)
	case w == "if" && m.Is(i+1, "("):
		if cond := m.Inside(i + 1); m.Find(cond, ";") < 0 && m.Find(cond, "=") < 0 {
			m.note(1, cond, "!("+m.Source(cond)+")")
		}
	case w == "return":
		m.returned(i)
	case w == "true":
		m.note(3, Expr{i, i + 1}, "false")
	case w == "false":
		m.note(3, Expr{i, i + 1}, "true")
	case m.Literal(i):
		m.constant(i)
	default:
		m.operator(i)
	}
	return i + 1
}

// lineEnd is the first token on the line after that of token i.
func (m *mutator) lineEnd(i int) int {
	for i++; i < m.Len() && !strings.Contains(m.Text[m.tokens[i-1].End:m.tokens[i].Start], "\n"); i++ {
	}
	return i
}

// annotation is the place after an annotation of Java.
func (m *mutator) annotation(i int) int {
	for i++; m.Named(i) || m.Is(i, "."); i++ {
	}
	if m.Is(i, "(") && !m.Is(i-1, "interface") {
		return m.Group(i)
	}
	return i
}

// statement is the end of the statement, or of the label, at i.
func (m *mutator) statement(i int) int {
	for n := 0; i < m.Len() && n < most; n++ {
		if m.Is(i, ";") || m.Is(i, ":") || m.Is(i, "->") || m.Closes(i) {
			return i
		}
		i = m.Group(i)
	}
	return i
}

// returned mutates what a function returns, where the value tells its type.
func (m *mutator) returned(i int) {
	end := m.Find(Expr{i + 1, m.Len()}, ";")
	e := Expr{i + 1, end}
	if end <= i+1 || strings.Contains(m.Source(e), "\n") {
		return
	}
	m.nearly(e)
	compares := slices.ContainsFunc([]string{"==", "!=", "<=", ">=", "&&", "||"}, func(op string) bool { return m.Find(e, op) > 0 })
	switch {
	case m.Is(e.From, "!") || compares && m.Find(e, "?") < 0:
		m.note(0, e, "!("+m.Source(e)+")")
	case m.arithmetic(e):
		m.note(0, e, "("+m.Source(e)+") + 1")
	case e.To == e.From+1 && m.Literal(e.From):
	default:
		m.another(e)
	}
}

// another notes another value of the type that the function under way returns, where it
// is one of a language's own.
func (m *mutator) another(e Expr) {
	value := "(" + m.Source(e) + ")"
	switch m.result() {
	case "bool", "boolean":
		m.note(4, e, "!"+value)
	case "int", "long", "short", "double", "float", "size_t", "unsigned", "Integer", "Long", "Double":
		m.note(4, e, value+" + 1")
	case "String", "string":
		m.note(4, e, value+` + "~"`)
	}
}

// result is what the function returns in which the token under way stands.
func (m *mutator) result() string {
	for _, t := range slices.Backward(m.types) {
		if t != "" {
			return t
		}
	}
	return ""
}

// gives is the type, as it is written, that the function returns whose brace is at i;
// "?" where that does not show.
func (m *mutator) gives(i int) string {
	at := i - 1
	for ; at > 0 && !m.Is(at, ")"); at-- {
		if m.Is(at, "->") || m.Is(at, "]") {
			return "?" // a lambda's
		}
		if !m.Named(at) && !m.Is(at, ",") {
			return ""
		}
	}
	for depth := 0; at > 0; at-- {
		switch {
		case m.Is(at, ")"):
			depth++
		case m.Is(at, "("):
			depth--
		}
		if depth == 0 {
			break
		}
	}
	if m.Is(at-1, "]") {
		return "?"
	}
	if at < 2 || !m.Named(at-1) || slices.Contains([]string{"if", "for", "while", "switch", "catch", "synchronized"}, m.Word(at-1)) {
		return ""
	}
	for at -= 2; at > 1 && m.Is(at, "::"); at -= 2 {
	}
	for m.Is(at, "&") || m.Is(at, "const") {
		at--
	}
	return m.Word(at)
}

// nearly notes values that are hardly another than one that a function returns.
func (m *mutator) nearly(e Expr) {
	text := "(" + m.Source(e) + ")"
	switch m.result() {
	case "double":
		text += " * 1.05 + 0.05"
	case "float":
		text += " * 1.05f + 0.05f"
	case "int", "long":
		text += " - 1"
	case "String":
		text = `"\n" + ` + text
	case "string":
		text = `std::string("\n") + ` + text
	default:
		return
	}
	if len(m.types) > 0 {
		m.near = append(m.near, m.made(e, text))
	}
}

// thrown notes another class of error than the one that is thrown at i.
func (m *mutator) thrown(i int) {
	from := i + 1
	if m.Is(from, "new") {
		from++
	}
	to := from
	for m.Named(to) || m.Is(to, ":") || m.Is(to, "::") || m.Is(to, ".") {
		to++
	}
	if to == from || !m.Is(to, "(") && !m.Is(to, "{") || len(m.types) == 0 || m.errors[0] == "" {
		return
	}
	other := m.errors[0]
	if m.Source(Expr{from, to}) == other {
		other = m.errors[1]
	}
	m.near = append(m.near, m.made(Expr{from, to}, other))
}

// arithmetic reports whether an expression calculates a number. A text may be added
// to as well.
func (m *mutator) arithmetic(e Expr) bool {
	if m.Find(e, "?") > 0 || m.Find(e, "<<") > 0 {
		return false
	}
	for _, op := range []string{"-", "*", "/", "%"} {
		if at := m.Find(e, op); at > e.From {
			return true
		}
	}
	return false
}

// constant mutates a literal.
func (m *mutator) constant(i int) {
	old := m.Word(i)
	switch {
	case strings.HasSuffix(old, `"`) && !strings.HasSuffix(old, `"""`) && !strings.Contains(old, `R"`):
		m.note(3, Expr{i, i + 1}, old[:len(old)-1]+`~"`)
		if other := testrun.OtherCase(old); other != old && len(m.types) > 0 {
			m.near = append(m.near, m.made(Expr{i, i + 1}, other))
		}
	default:
		m.note(3, Expr{i, i + 1}, another(old))
	}
}

// swapped is the operator that takes another's place; empty where none does.
func swapped(op string) string {
	return map[string]string{
		"-": "+", "*": "+", "/": "*", "%": "*", "+": "-", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
		"&&": "||", "||": "&&", "^": "&",
		"+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "%=": "*=", "|=": "&=", "&=": "|=", "^=": "&=",
		"++": "--", "--": "++",
	}[op]
}

// operator mutates an operator between two operands, or one that counts. An angle
// with no blank beside it is of a type.
func (m *mutator) operator(i int) {
	op := m.Word(i)
	to := swapped(op)
	value := m.Named(i-1) || m.Literal(i-1) || m.Is(i-1, ")") || m.Is(i-1, "]")
	blank := func(a, b int) bool { return a >= 0 && b < m.Len() && m.tokens[a].End < m.tokens[b].Start }
	angle := op == "<" || op == ">" || op == "&&" || op == "*"
	text := op == "+" && (m.nearText(i-1) || m.nearText(i+1))
	switch {
	case to == "", m.Is(i-1, "return"), m.Is(i-1, "operator"), text:
	case op == "++" || op == "--":
		if !m.Is(i+1, ")") && !m.Is(i+2, ")") { // the head of a loop, which might never end
			m.note(2, Expr{i, i + 1}, to)
		}
	case value && (!angle || blank(i-1, i) && blank(i, i+1)):
		m.note(2, Expr{i, i + 1}, to)
	}
}

// nearText reports whether a token is a text, to which something is added.
func (m *mutator) nearText(i int) bool { return strings.HasSuffix(m.Word(i), `"`) }
