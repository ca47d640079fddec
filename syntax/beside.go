package syntax

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// beside notes another limit than the one behind an operator, so that what lies just below it
// is on the other side, as the limit itself is by another operator; and another number by which
// something is divided. Limits that are literals are those of [mutator.limit].
func (m *mutator) beside(i int) {
	e := m.operand(i + 1)
	w := m.Tree.Word(i)
	switch {
	case w == "//":
		m.note(Slip, Expr{i, i + 1}, "/")
	case w == "/" && m.Typed:
		m.rounded(Expr{m.factor(i), i}, e)
	}
	switch {
	case !m.Named(i+1) && !m.Is(i+1, "("):
	case w == "/" || w == "%":
		m.note(3, e, "("+m.Source(e)+" + 1)")
	case (w == "<" || w == ">=") && m.path(e) && (m.Typed || constantPattern.MatchString(m.Tree.Word(e.To-1))) && !m.loops(i):
		m.note(3, e, "("+m.Source(e)+" - 1)")
	}
}

// rounded notes that a number which is cut off is rounded.
func (m *mutator) rounded(a, b Expr) {
	text := m.Source(b)
	made := m.note(Slip, Expr{a.From, b.To}, "("+m.Source(a)+" + "+text+" / 2) / "+text)
	made.What = "rounded for cut off in " + m.Source(Expr{a.From, b.To})
}

// factor is where the product begins that ends before token i.
func (m *mutator) factor(i int) int {
	for i--; i > 0; {
		i = m.Opening(i)
		switch {
		case m.Is(i, "?"), m.Is(i, "(", "[") && m.Adjacent(i) && (m.Named(i-1) || m.Is(i-1, ")", "]", "?")):
			i--
		case m.Is(i-1, strings.Fields(". :: -> * / %")...):
			i -= 2
		default:
			return i
		}
	}
	return max(i, 0)
}

// constantPattern matches the name of a constant.
var constantPattern = lazyregexp.New(`^[A-Z][A-Z0-9_]+$`)

// operand is the name, the call or what stands in brackets that begins at token i, with what is
// chained to it.
func (m *mutator) operand(i int) Expr {
	for to := m.Group(i); ; to = m.Group(to) {
		switch {
		case m.Is(to, ".", "::", "->", "?."):
			to++
		case !m.Is(to, "(", "[") || !m.Adjacent(to):
			return Expr{i, to}
		}
	}
}

// path reports whether an expression is a name, by itself or of a part.
func (m *mutator) path(e Expr) bool {
	for i := e.From; i < e.To; i++ {
		if !m.Named(i) && !m.Is(i, ".", "::", "->") {
			return false
		}
	}
	return true
}

// limit is another number than the one at token i, by one, so that what lies beside it on the
// inner side is on the other one now; empty for one that is no limit, or that of a loop, which
// might never end.
func (m *mutator) limit(i int) string {
	w, sign := m.Tree.Word(i), ""
	switch {
	case strings.Contains(w, "."), m.loops(i):
		return ""
	case m.Is(i-1, "<", ">="), m.Is(i+1, ">", "<="):
		sign = "-"
	case m.Is(i-1, ">", "<="), m.Is(i+1, "<", ">="):
		sign = "+"
	default:
		return ""
	}
	return "(" + w + " " + sign + " 1" + map[bool]string{true: "n"}[strings.HasSuffix(w, "n")] + ")"
}

// turned notes a limit that holds on the other side: a test that gives nothing but the limit
// itself does not tell. In the head of a loop, it might never end.
func (m *mutator) turned(i int) {
	if !m.loops(i) {
		m.note(Slip, Expr{i, i + 1}, map[string]string{"<=": ">=", ">=": "<="}[m.Tree.Word(i)])
	}
}

// loops reports whether token i stands in the head of a loop, by what stands before it in its line.
func (m *mutator) loops(i int) bool {
	start := m.tokens[i].Start
	return loopPattern.MatchString(m.Text[strings.LastIndexByte(m.Text[:start], '\n')+1 : start])
}

var loopPattern = lazyregexp.New(`\b(?:for|while|until|loop)\b`)
