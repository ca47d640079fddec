package syntax

// lastly notes that what the block behind token i does in any case is done only if nothing failed:
// it ends the block of try.
func (m *mutator) lastly(i int) {
	if !m.Is(i, "finally") || !m.Is(i+1, "{") {
		return
	}
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
