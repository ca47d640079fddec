package syntax

import (
	"slices"
	"strings"
)

// Statement is a statement of a language whose lines and indentation make the blocks: a
// simple one, or the head of a compound one without its colon.
type Statement struct {
	Expr

	Parent int // the head of the block that it stands in; -1 for none
	Last   int // the last statement in its own block; its own number if it has none
}

// StatementAt is the number of the statement that token i begins; -1 if it begins none.
func (t *Tree) StatementAt(i int) int {
	n, ok := slices.BinarySearchFunc(t.Statements, i, func(s Statement, i int) int { return s.From - i })
	if !ok {
		return -1
	}
	return n
}

// divide cuts the text into statements. A line goes on where a bracket is open or a
// backslash ends it.
func (t *Tree) divide() {
	var out []Statement
	type block struct{ head, indent int }
	var open []block
	for i := 0; i < len(t.tokens); {
		line := Expr{i, t.LineEnd(i)}
		indent := t.Indent(i)
		for len(open) > 0 && open[len(open)-1].indent >= indent {
			open = open[:len(open)-1]
		}
		parent := -1
		if len(open) > 0 {
			parent = open[len(open)-1].head
		}
		i = line.To
		if colon := t.colon(line); colon > 0 {
			open = append(open, block{len(out), indent})
			out = append(out, Statement{Expr: Expr{line.From, colon}, Parent: parent})
			parent, line.From = len(out)-1, colon+1
		}
		for _, part := range t.Split(line, ";") {
			if !part.Empty() {
				out = append(out, Statement{Expr: part, Parent: parent})
			}
		}
	}
	lasts(out)
	t.Statements = out
}

// lasts notes which statement is the last one in the block of each.
func lasts(list []Statement) {
	for i := range list {
		list[i].Last = i
		for at := list[i].Parent; at >= 0; at = list[at].Parent {
			list[at].Last = i
		}
	}
}

// LineEnd is the place behind the line that token i begins.
func (t *Tree) LineEnd(i int) int {
	for at := t.Group(i); at < len(t.tokens); at = t.Group(at) {
		if t.Broken(at) && !t.joined(at) {
			return at
		}
	}
	return len(t.tokens)
}

// Begins reports whether a line, or the first statement on it, begins with token i, if no
// bracket is open. Behind the last token one would.
func (t *Tree) Begins(i int) bool {
	return i >= len(t.tokens) || t.around[i] < 0 && (i == 0 || t.Broken(i) && !t.joined(i))
}

// Around is the innermost bracket around token i; -1 if there is none.
func (t *Tree) Around(i int) int {
	if i < 0 || i >= len(t.tokens) {
		return -1
	}
	return t.around[i]
}

// joined reports whether a backslash joins the line before token i with its own.
func (t *Tree) joined(i int) bool {
	return strings.HasPrefix(strings.TrimLeft(t.Text[t.tokens[i-1].End:], " \t"), "\\")
}

// Indent is how far the line is indented that token i begins.
func (t *Tree) Indent(i int) int {
	at := t.tokens[i].Start
	return at - 1 - strings.LastIndexByte(t.Text[:at], '\n')
}

// colon is the colon that ends the head of a block; -1 if a line has none.
func (t *Tree) colon(line Expr) int {
	if !t.Is(line.From, t.page.Heads...) {
		return -1
	}
	closed := 0
	for i := line.From; i < line.To; i = t.Group(i) {
		switch {
		case t.Is(i, t.page.Within):
			closed++
		case t.Is(i, ":"):
			if closed--; closed < 0 {
				return i
			}
		}
	}
	return -1
}
