package syntax

import "strings"

// header notes what parameters are by default in a part of a source that does nothing else.
func (m *mutator) header(e Expr) {
	for i := e.From; i < e.To; i++ {
		m.defaults(i)
	}
}

// constant notes another literal than token i.
func (m *mutator) constant(i int) {
	if !m.defaults(i) {
		m.note(3, Expr{i, i + 1}, m.Constant(m.Tree, i))
	}
}

// defaults notes another value than token i if that is what a parameter is where a call
// leaves it out, and reports whether it is.
func (m *mutator) defaults(i int) bool {
	if !m.byDefault(i) {
		return false
	}
	text := m.Words[m.Tree.Word(i)]
	if m.Literal(i) {
		text = m.Constant(m.Tree, i)
	}
	if text != "" {
		made := m.made(3, Expr{i, i + 1}, text)
		made.Default = true
		m.found = append(m.found, made)
	}
	return true
}

// byDefault reports whether token i is what a parameter is where a call leaves it out.
func (t *Tree) byDefault(i int) bool {
	open := t.Around(i)
	if !t.Is(i-1, "=") || !t.Is(open, "(") {
		return false
	}
	if head := strings.Fields("def fun func function fn constructor"); t.Is(open-1, head...) || t.Is(open-2, head...) {
		return true
	}
	end := t.Group(open)
	for end < t.Len() && !t.Opens(end) && !t.Broken(end) && !t.Is(end, "=>") {
		end++ // over what it returns
	}
	return t.Is(end, "=>") || t.Is(end, "{") && t.Named(open-1) && !t.Is(open-1, strings.Fields("if while for switch catch")...)
}
