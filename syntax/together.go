package syntax

import (
	"slices"
	"unicode"
)

// deepest is how deep values that are put together stand in each other, where each is altered.
const deepest = 3

// together notes what a function returns that is put together of others, as a pair, a list or
// an object: each part altered as if it alone were returned. Where only types tell how, two
// that stand side by side take each other's place. Whoever looks only at the kind of the
// whole, or at how many parts it has, notices none of that.
func (m *mutator) together(e Expr, deep int) {
	if deep > deepest {
		return
	}
	parts := m.parts(e)
	for k, part := range parts {
		m.together(part, deep+1)
		m.clauses(part)
		switch {
		case !m.Typed:
			m.altered(part)
		case k > 0 && m.alike(parts[k-1], part):
			last := parts[k-1]
			between := m.Text[m.Span(last).End:m.Span(part).Start]
			m.result(Result{At: Expr{last.From, part.To}, Text: m.Source(part) + between + m.Source(last), Rank: leastTelling})
		}
	}
}

// altered notes another value than a part that is no literal: that is altered anyway.
func (m *mutator) altered(part Expr) {
	for _, r := range m.Returned(m.Tree, part, "") {
		if !r.Near && r.At.Empty() && !m.Literal(part.To-1) {
			m.result(Result{At: part, Text: r.Text, What: r.What, Rank: leastTelling})
		}
	}
}

// alike reports whether two values that differ may be of one type, as far as their text tells:
// what does not compile costs a run and says nothing.
func (m *mutator) alike(a, b Expr) bool {
	if a.To-a.From != b.To-b.From || m.Source(a) == m.Source(b) {
		return false
	}
	nothing := []string{"nil", "null", "nullptr", "None", "err", "ok", "true", "false"} // or what went wrong
	for k := range a.To - a.From {
		i, j := a.From+k, b.From+k
		word := m.Kind(i) == Word && m.Kind(j) == Word
		if !word && m.Tree.Word(i) != m.Tree.Word(j) || m.Is(i, nothing...) != m.Is(j, nothing...) {
			return false
		}
	}
	return true
}

// leastTelling is the rank of mutants that are tried when all others were.
const leastTelling = 5

// Slip is the rank of what is easily mistaken for another: tests that do not tell the two apart
// are common.
const Slip = leastTelling + 1

// parts are the values that an expression puts together, without their keys: none for any
// other one, none for those that are spread or made in a loop, and none for what stands in
// braces without a key, where a name is its own or the order says nothing.
func (m *mutator) parts(e Expr) []Expr {
	f := Finder{Tree: m.Tree}
	if m.Is(e.From, "&") {
		e.From++
	}
	list, open := f.Split(e, ","), m.Opening(e.To-1)
	several := len(list) > 1
	switch made, ok := f.makes(e, Loosely); {
	case several:
	case m.Whole(e):
		if list = m.Args(e.From); len(list) == 1 && m.Is(e.From, "(") {
			return m.parts(list[0])
		}
	case ok && open > e.From && m.makes(e.From, open):
		list = made
	default:
		return nil
	}
	keyed := !several && m.Is(open, "{") && slices.Contains(m.page.Values.Keys, ":")
	var out []Expr
	for _, part := range list {
		value := f.Entry(part)
		if !value.Empty() && !m.Is(part.From, "*", "**", "...", "..", "&") && m.Find(part, "for") <= part.From && (!keyed || value != part) {
			out = append(out, value)
		}
	}
	return out
}

// makes reports whether what stands between two tokens, the second of which opens a bracket,
// is a type of which a value is made, and no function.
func (m *mutator) makes(from, open int) bool {
	name := []rune(m.Tree.Word(open-1) + " ")[0]
	return m.Is(open, "{", "[") || m.Is(from, "new") || m.Is(open-1, "new", "of") || unicode.IsUpper(name)
}
