package syntax

import (
	"cmp"
	"slices"
	"strings"
)

// Copying is how a function is made to work on a copy of what it is given.
type Copying struct {
	// Text is a copy of a value, $, if it is of a type of the language's own: the copy of another
	// one may share what is written. What ends with a blank is a statement that stands before the
	// one that writes into $, which is a parameter then.
	Text string
	// Gives stands between a name and what it is given, within an expression; empty for "=".
	Gives string
	// Writes lists what writes into a value: methods of it and operators behind it or, where Text is a
	// statement, functions of which it is the first argument.
	Writes string
	// Functions lists the functions of a source, with their parameters.
	Functions func(t *Tree) []Function
}

// stands reports whether the copy is made by a statement of its own.
func (c Copying) stands() bool { return strings.HasSuffix(c.Text, " ") }

// of is a copy of a value.
func (c Copying) of(value string) string { return strings.ReplaceAll(c.Text, "$", value) }

// copies notes, for each parameter that a function writes into, and each name that it gives to
// what is kept elsewhere, that it writes into a copy, that it returns one of what it keeps, and
// that it makes what it goes on with of one:
// whoever has the value finds it as it was. Where no test notices that, it may be meant that way.
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
		for i := fn.Body.From; i < fn.Body.To && !m.Copying.stands(); i++ {
			m.aliased(i, fn.Body)
			m.remembered(i, fn.Body)
			m.owned(i)
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
	if written {
		m.instance(value, Expr{i, value.To})
	}
}

// owned notes that what is made of a part of the object itself, from token i on, by writing into
// it, is made of a copy: the object may not be meant to change. What is taken out of it is none.
func (m *mutator) owned(i int) {
	part := m.part(i)
	own := strings.HasPrefix(m.Tree.Word(i), "@") || m.Is(i, "this", "self") && part.To > i+1
	takes := m.Is(part.To+1, strings.Fields("pop popitem shift delete delete_at setdefault splice slice!")...)
	if own && !takes && m.Is(i-1, "=", "(", ",", "return") && m.Is(part.To, ".") && m.writes(part.To-1) {
		m.instance(part, part)
	}
}

// instance notes that a value is copied; what is shown of that is in an expression.
func (m *mutator) instance(value, within Expr) {
	before, text := m.Text[m.Span(within).Start:m.Span(value).Start], m.Source(value)
	made := m.add(&m.near, 0, Edit{m.Span(within), before + m.Copying.of(text)}, "a copy of "+text)
	made.Subtle, made.Shown = true, before+"(a copy of "+text+")"
}

// remembered notes that what token i returns is a copy, if the function keeps it for the next call.
func (m *mutator) remembered(i int, body Expr) {
	value := Expr{i + 1, m.ValueEnd(i + 1)}
	if !m.Is(i, "return") || value.Empty() || value.To > body.To {
		return
	}
	kept, puts := value, "="
	if open := m.Opening(value.To - 1); m.Is(open, "(") && m.Is(open-1, "get") && m.Is(open-2, ".") {
		kept.To, puts = open-1, "set"
	}
	text := m.Source(kept)
	if !m.elsewhere(Expr{kept.From, kept.To}) || puts == "=" && !m.Is(kept.To-1, "]") {
		return
	}
	for k := body.From; k < body.To; k++ {
		if end := k + kept.To - kept.From; m.Is(end, puts) && m.Source(Expr{k, end}) == text {
			m.instance(value, value)
			return
		}
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

// copied notes the places where a function writes into a parameter, or into a part of it, unless
// that comes to hold something else.
func (m *mutator) copied(name string, body Expr) {
	var written []int
	var parts []Expr
	for i := body.From; i < body.To; i++ {
		if !m.Is(i, name) || m.Is(i-1, ".", "::", "?.", "->") {
			continue
		}
		part := m.part(i)
		switch {
		case m.puts(i + 1):
			return
		case m.writes(i):
			written = append(written, i)
		case part.To > i+1 && !m.Copying.stands() && m.writes(part.To-1):
			parts = append(parts, part)
		}
	}
	for _, i := range written {
		m.onCopy(i, name)
	}
	for _, part := range parts {
		m.instance(part, part)
	}
}

// part is the name at token i with those behind it, up to a method or what is given another value.
func (m *mutator) part(i int) Expr {
	to := i + 1
	for m.Is(to, ".") && m.Named(to+1) && m.Is(to+2, ".", "[") {
		to += 2
	}
	return Expr{i, to}
}

// onCopy lets what is done to the parameter at token i be done to a copy.
func (m *mutator) onCopy(i int, name string) {
	at, text := Expr{i, i + 1}, "("+name+" "+cmp.Or(m.Copying.Gives, "=")+" "+m.Copying.of(name)+")"
	before := ""
	if m.Copying.stands() {
		for m.Is(at.From-1, ".", "(") {
			at.From -= 2
		}
		before = m.Source(at) // up to the name: a change may have put in nothing else
		text = m.Copying.of(name) + before
	}
	made := m.add(&m.near, 0, Edit{m.Span(at), text}, "a copy of "+name)
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
