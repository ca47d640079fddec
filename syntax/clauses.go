package syntax

// clauses notes what is asked without each of the clauses that it is put together of, and
// fallbacks that stand side by side in each other's place: that a clause decides anything
// shows only in a test that is made for it.
func (m *mutator) clauses(e Expr) {
	if m.Whole(e) && m.Is(e.From, "(") {
		e = m.Inside(e.From)
	}
	if m.Find(e, "?", "=>", "->", "lambda", "if", ",") >= 0 || !m.counts() {
		return
	}
	for _, joint := range []string{"??", "||", "or", "&&", "and"} { // what binds least first
		if parts := m.Split(e, joint); len(parts) > 1 {
			m.leaveOut(parts, joint)
			if joint == "||" || joint == "or" {
				m.regroup(parts)
			}
			return
		}
	}
}

// leaveOut notes what clauses leaves of an expression whose parts a word or a sign joins.
func (m *mutator) leaveOut(parts []Expr, joint string) {
	m.without(parts[0], Edit{Span{m.Span(parts[0]).Start, m.Span(parts[1]).Start}, ""})
	for k, part := range parts {
		m.clauses(part)
		if k == 0 {
			continue
		}
		before, own := m.Span(parts[k-1]), m.Span(part)
		m.without(part, Edit{Span{before.End, own.End}, ""})
		if joint == "??" && k+1 < len(parts) {
			m.note(leastTelling, Expr{parts[k-1].From, part.To}, m.Source(part)+m.Text[before.End:own.Start]+m.Source(parts[k-1]))
		}
	}
}

// without notes an edit that leaves a clause out.
func (m *mutator) without(clause Expr, e Edit) {
	if !clause.Empty() && e.Start < e.End {
		m.add(&m.found, leastTelling, e, "without "+m.Source(clause))
	}
}

// regroup notes brackets that were forgotten: a && (b || c) for a && b || c, and the other way
// round.
func (m *mutator) regroup(parts []Expr) {
	for k := range parts[1:] {
		left, right := m.both(parts[k]), m.both(parts[k+1])
		if len(left) > 1 {
			e := Expr{left[len(left)-1].From, parts[k+1].To}
			m.note(Slip, e, "("+m.Source(e)+")")
		}
		if len(right) > 1 {
			e := Expr{parts[k].From, right[0].To}
			m.note(Slip, e, "("+m.Source(e)+")")
		}
	}
}

// both are the parts of what all must hold for.
func (m *mutator) both(e Expr) []Expr {
	if parts := m.Split(e, "&&"); len(parts) > 1 {
		return parts
	}
	return m.Split(e, "and")
}
