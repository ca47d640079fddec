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
	var heads []int // of the blocks around
	for i := 0; i < len(t.tokens); {
		line := Expr{i, t.LineEnd(i)}
		for len(heads) > 0 && t.Indent(out[last(heads)].From) >= t.Indent(i) {
			heads = heads[:len(heads)-1]
		}
		parent := last(heads)
		i = line.To
		if colon := t.colon(line); colon > 0 {
			heads = append(heads, len(out))
			out = append(out, Statement{Expr: Expr{line.From, colon}, Parent: parent})
			parent, line.From = last(heads), colon+1
		}
		for _, part := range t.Split(line, ";") {
			if !part.Empty() {
				out = append(out, Statement{Expr: part, Parent: parent})
			}
		}
	}
	for i := range out { // the last one in the block of each
		out[i].Last = i
		for at := out[i].Parent; at >= 0; at = out[at].Parent {
			out[at].Last = i
		}
	}
	t.Statements = out
}

// LineEnd is the place behind the line that token i begins.
func (t *Tree) LineEnd(i int) int {
	at := t.Group(i)
	for at < len(t.tokens) && (!t.Broken(at) || t.joined(at)) {
		at = t.Group(at)
	}
	return min(at, len(t.tokens))
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

// End is the place behind the expression that begins at token i: before a comma, a
// semicolon, the end of the group around and, where lines end statements, the line on
// which it cannot go on.
func (t *Tree) End(i int) int {
	at := i
	for at < len(t.tokens) && !t.Is(at, ",", ";") && !t.Closes(at) && (at == i || !t.ended(at)) {
		at = t.Types(at, len(t.tokens))
	}
	return min(at, len(t.tokens))
}

// ListEnd is the place behind the list of expressions that begins at token i.
func (t *Tree) ListEnd(i int) int {
	end := t.End(i)
	for t.Is(end, ",") {
		end = t.End(end + 1)
	}
	return end
}

// ended reports whether a statement ends with the line before token i.
func (t *Tree) ended(i int) bool {
	if words := t.page.Words; words != nil {
		return t.Broken(i) && !t.joined(i) && words.Ends(t, i)
	}
	return t.page.Newlines && t.Broken(i) && (t.page.Insists || t.begins(i)) && !t.Continues(i-1)
}

// begins reports whether a statement can begin with token i.
func (t *Tree) begins(i int) bool {
	if t.Named(i) {
		return !t.Is(i, t.page.Between...)
	}
	return t.Literal(i) || t.Is(i, "{", "}", "++", "--", "@")
}

// Continues reports whether something must follow token i.
func (t *Tree) Continues(i int) bool {
	if t.Named(i) {
		return t.Is(i, t.page.Between...) || t.Is(i, t.page.Lexis.Before...)
	}
	return !t.Literal(i) && !t.Closes(i) && !t.Is(i, "++", "--", "!!")
}

// Link is a name in a chain, as c and d in "a(b).c.d(e)", and the bracket with what it is
// called with; -1 if it is not called.
type Link struct{ Name, Open int }

// Called reports whether it is called.
func (l Link) Called() bool { return l.Open >= 0 }

// Chain lists what is chained to what ends before a place.
func (t *Tree) Chain(at int) []Link {
	var out []Link
	for t.Is(at, ".", "?.") && t.Named(at+1) {
		l := Link{at + 1, t.Arguments(at + 2)}
		out = append(out, l)
		at = t.LinkEnd(l)
	}
	return out
}

// LinkEnd is the place behind a link.
func (t *Tree) LinkEnd(l Link) int {
	if l.Called() {
		return t.Group(l.Open)
	}
	return l.Name + 1
}

// Arguments is the bracket with the arguments of a call whose name ends before a place:
// type arguments may come first. It is -1 if there is none.
func (t *Tree) Arguments(at int) int {
	if t.Is(at, "<") {
		at = t.angle(at, t.Len(), func(k int) bool { return !t.Is(k, "=", "&&", "||") })
	}
	if t.Is(at, "(") {
		return at
	}
	return -1
}

// Types is the place behind the types that the angle at i opens, or behind the group;
// behind token i alone if it opens neither.
func (t *Tree) Types(i, end int) int {
	if !t.Is(i, "<") {
		return t.Group(i)
	}
	sure := t.Is(i-1, "::")
	return t.angle(i, end, func(k int) bool {
		return sure && !t.Is(k, ";") || t.Named(k) || t.Is(k, ",", ".", "::", "?", "&", "*", "[", "]")
	})
}

// angle is the place behind the angle that closes the one at token i, if only what is
// within may stand between them; behind token i alone if none does.
func (t *Tree) angle(i, end int, within func(k int) bool) int {
	depth := 0
	for k := i; k < min(end, i+most); k++ {
		switch w := t.Word(k); {
		case w == "<":
			depth++
		case w == ">" || w == ">>":
			if depth -= len(w); depth <= 0 {
				return k + 1
			}
		case !within(k):
			return i + 1
		}
	}
	return i + 1
}

// StatementLines are the lines, from 1 on, on which a statement begins. Only a brace may stand
// around it; whether it goes on with what is before its first token, begins says.
func (t *Tree) StatementLines(begins func(i int) bool) map[int]bool {
	out, line, at := map[int]bool{}, 1, 0
	for i, token := range t.tokens {
		line, at = line+strings.Count(t.Text[at:token.Start], "\n"), token.Start
		block := t.around[i] < 0 || t.Is(t.around[i], "{")
		if block && (i == 0 || t.Broken(i)) && strings.IndexByte(")]}{.,;", t.Text[at]) < 0 && begins(i) {
			out[line] = true
		}
	}
	return out
}
