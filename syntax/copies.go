package syntax

import (
	"slices"
	"strings"
)

// Copying is how a function is made to work on a copy of what it is given.
type Copying struct {
	// Text takes the place of a parameter, $, and makes it a copy, if it is of a type of the
	// language's own: the copy of another one may share what is written. What ends with a blank is
	// a statement that stands before the one that writes into the parameter.
	Text string
	// Other is a copy of a value, $, that is made where a name is given it, of the same types.
	// If it is empty, names that a function gives to what is kept elsewhere are left alone.
	Other string
	// Writes lists what writes into a value: methods of it and operators behind it or, where Text is a
	// statement, functions of which it is the first argument.
	Writes string
	// Functions lists the functions of a source, with their parameters.
	Functions func(t *Tree) []Function
}

// stands reports whether the copy is made by a statement of its own.
func (c Copying) stands() bool { return strings.HasSuffix(c.Text, " ") }

// copies notes, for each parameter that a function writes into, and each name that it gives to
// what is kept elsewhere, that it writes into a copy: whoever has the value finds it as it was.
// Where no test notices that, it may be meant that way.
func (m *mutator) copies() {
	if m.Copying.Functions == nil {
		return
	}
	for _, fn := range m.Copying.Functions(m.Tree) {
		for _, p := range m.Split(fn.Params, ",") {
			if m.Named(p.From) && !m.Is(p.From, "self", "cls", "this") {
				m.copied(m.Tree.Word(p.From), fn.Body)
			}
		}
		for i := fn.Body.From; i < fn.Body.To && m.Copying.Other != ""; i++ {
			m.aliased(i, fn.Body)
		}
	}
}

// aliased notes that token i, a name that is given to what is kept elsewhere and then written
// into, is given to a copy of that.
func (m *mutator) aliased(i int, body Expr) {
	value := Expr{i + 2, m.ValueEnd(i + 2)}
	if !m.Named(i) || m.Is(i-1, ".", "?.", "->", "::", ",") || !m.Is(i+1, "=") || value.To > body.To || !m.elsewhere(value) {
		return
	}
	written := false
	for k := value.To; k < body.To; k++ {
		if m.Is(k, m.Tree.Word(i)) && !m.Is(k-1, ".", "?.", "->", "::") {
			if m.puts(k + 1) {
				return
			}
			written = written || m.writes(k)
		}
	}
	if text := m.Source(value); written {
		given := Edit{m.Span(Expr{i, value.To}), m.Tree.Word(i) + " = " + strings.ReplaceAll(m.Copying.Other, "$", text)}
		made := m.add(&m.near, 0, given, "a copy of "+text)
		made.Subtle, made.Shown = true, m.Tree.Word(i)+" = (a copy of "+text+")"
	}
}

// elsewhere reports whether an expression is nothing but a part of what is kept elsewhere, or
// another one where there is none.
func (m *mutator) elsewhere(e Expr) bool {
	part := false
	for i := e.From; i < e.To; i++ {
		switch {
		case m.Is(i, ".", "?.", "["), strings.HasPrefix(m.Tree.Word(i), "@"):
			part = true
		case m.Is(i, strings.Fields("await yield new lambda if else not")...),
			!m.Named(i) && !m.Literal(i) && !m.Is(i, strings.Fields("] ?? || && or and { }")...):
			return false
		}
	}
	return part && m.Named(e.From)
}

// copied notes the places where a function writes into a parameter, unless that comes to hold
// something else.
func (m *mutator) copied(name string, body Expr) {
	var written []int
	for i := body.From; i < body.To; i++ {
		switch {
		case !m.Is(i, name) || m.Is(i-1, ".", "::", "?.", "->"):
		case m.puts(i + 1):
			return
		case m.writes(i):
			written = append(written, i)
		}
	}
	for _, i := range written {
		m.onCopy(i, name)
	}
}

// onCopy lets what is done to the parameter at token i be done to a copy.
func (m *mutator) onCopy(i int, name string) {
	at, before := Expr{i, i + 1}, ""
	if m.Copying.stands() {
		for m.Is(at.From-1, ".", "(") {
			at.From -= 2
		}
		at.To = at.From + 1
		before = m.Source(at)
	}
	made := m.add(&m.near, 0, Edit{m.Span(at), strings.ReplaceAll(m.Copying.Text, "$", name) + before}, "a copy of "+name)
	made.Subtle, made.Shown = true, strings.TrimSpace("(a copy of "+name+") "+before)
}

// puts reports whether token i gives what stands before it another value.
func (m *mutator) puts(i int) bool {
	w := m.Tree.Word(i)
	return m.Kind(i) == Sign && strings.HasSuffix(w, "=") && !slices.Contains([]string{"==", "!=", "===", "!==", "<=", ">="}, w)
}

// writes reports whether what the name at token i stands for is written into.
func (m *mutator) writes(i int) bool {
	how := strings.Fields(m.Copying.Writes)
	switch {
	case m.Is(i+1, "["):
		return m.puts(m.Group(i + 1))
	case m.Copying.stands():
		return m.Is(i-1, "(") && m.Is(i-2, how...) && m.Is(i-3, ".")
	case m.Is(i+1, "."):
		return m.Is(i+2, how...) || m.puts(i+3)
	}
	return m.Is(i+1, how...)
}
