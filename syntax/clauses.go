package syntax

// clauses notes what is asked without each of the clauses that it is put together of, and
// fallbacks that stand side by side in each other's place: that a clause decides anything
// shows only in a test that is made for it.
func (m *mutator) clauses(e Expr) {
	if m.Whole(e) && m.Is(e.From, "(") {
		e = m.Inside(e.From)
	}
	if m.Find(e, "?", "=>", "->", "lambda", "if", ",") >= 0 || len(m.ends) == 0 && m.Bodies {
		return
	}
	for _, joint := range []string{"??", "||", "or", "&&", "and"} {
		parts := m.Split(e, joint)
		for k := 1; k < len(parts); k++ {
			before, own := m.Span(parts[k-1]), m.Span(parts[k])
			if k == 1 {
				m.without(parts[0], Edit{Span{before.Start, own.Start}, ""})
			}
			m.without(parts[k], Edit{Span{before.End, own.End}, ""})
			if joint == "??" && k+1 < len(parts) {
				swapped := m.Source(parts[k]) + m.Text[before.End:own.Start] + m.Source(parts[k-1])
				m.note(leastTelling, Expr{parts[k-1].From, parts[k].To}, swapped)
			}
		}
		if len(parts) < 2 {
			continue
		}
		for _, part := range parts {
			m.clauses(part)
		}
		return
	}
}

// without notes an edit that leaves a clause out.
func (m *mutator) without(clause Expr, e Edit) {
	if clause.Empty() || e.Start >= e.End {
		return
	}
	made := MutantOf(m.Text, e, "without "+m.Source(clause))
	made.Rank = leastTelling
	m.found = append(m.found, made)
}
