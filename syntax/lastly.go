package syntax

import "strings"

// lastly notes that what token i says is done in any case is done only if nothing failed.
func (m *mutator) lastly(i int) {
	switch {
	case !m.Is(i, "finally", "ensure"):
	case m.Is(i+1, "{"):
		m.unlessFailed(i)
	case m.handles(i):
		m.instead(&m.near, 0, Expr{i, i + 1}, "else").Subtle = true
	}
}

// unlessFailed lets the block behind token i end the block of try.
func (m *mutator) unlessFailed(i int) {
	last := i - 1 // of the block of try
	for m.Is(last, "}") {
		head := m.Opening(last) - 1
		if m.Is(head, ")") {
			head = m.Opening(head) - 1
		}
		switch {
		case m.Is(head, "catch"):
			last = head - 1
			continue
		case !m.Is(head, "try"):
			return
		}
		all, body := Expr{last, m.Group(i + 1)}, m.Source(Expr{i + 1, m.Group(i + 1)})
		now := body[1:len(body)-1] + m.Source(Expr{last, i})
		if last == i-1 { // nothing is caught
			all.From = m.Opening(last)
			now = m.Source(Expr{all.From, last}) + body[1:]
			if m.Is(all.From-1, "try") {
				all.From--
			}
		}
		made := m.instead(&m.near, 0, all, now)
		made.Subtle, made.What, made.Line = true, "only if nothing failed", MutantOf(m.Text, Edit{Span: m.Span(Expr{i, i + 1})}, "").Line
		made.Shown = m.Source(Expr{all.From, i}) + " (" + made.What + ") " + body
		return
	}
}

// handles reports whether a clause before the one that token i begins, by lines of the same
// indentation, handles what failed, and none says what is done otherwise.
func (m *mutator) handles(i int) (handles bool) {
	lines := strings.Split(m.Text[:m.tokens[i].Start], "\n")
	indent := lines[len(lines)-1]
	for k := len(lines) - 2; k >= 0 && strings.TrimSpace(indent) == ""; k-- {
		line, same := strings.CutPrefix(lines[k], indent)
		first := strings.TrimLeft(line, " \t")
		switch word, _, _ := strings.Cut(strings.ReplaceAll(first, ":", " "), " "); {
		case first == "":
		case !same, word == "else":
			return false
		case first != line: // deeper
		case word == "except" || word == "rescue":
			handles = true
		case word == "try" || word == "begin" || word == "def":
			return handles
		}
	}
	return false
}
