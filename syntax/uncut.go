package syntax

import "strings"

// cutters are functions that give back a part of a text or a list, as far as their last argument says.
const cutters = "slice subarray substring substr mb_substr"

// uncut notes that what is cut off a text or a list, behind the bracket that is token i, stays: no
// test has anything there. A number that is written out is tried by itself.
func (m *mutator) uncut(i int) {
	last, behind := m.cut(i)
	if last.Empty() || m.shrinks(i) || !m.counts() {
		return
	}
	if m.Literal(last.To-1) && (last.To == last.From+1 || last.To == last.From+2 && m.Is(last.From, "-")) {
		return
	}
	at := Span{m.Span(Expr{behind, behind + 1}).End, m.Span(last).End}
	m.add(&m.near, 0, Edit{at, ""}, "nothing is cut off by "+m.Source(last)).Subtle = true
}

// cut is what says where the part ends, or else where it begins, which the bracket that is token i
// takes of a text or a list, and the token that it stands behind.
func (m *mutator) cut(i int) (last Expr, behind int) {
	switch {
	case m.Is(i, "(") && m.Is(i-1, strings.Fields(cutters)...):
		if args := m.Args(i); len(args) > 1 && (len(args) > 2 || m.Is(i-2, ".", "?.")) {
			return args[len(args)-1], args[len(args)-2].To - 1
		}
	case m.Is(i, "[") && (m.Named(i-1) || m.Is(i-1, ")", "]")):
		for sign := range strings.FieldsSeq(m.Range) {
			ends := m.Split(m.Inside(i), sign)
			switch open := m.Is(m.Inside(i).To-1, sign); {
			case len(ends) == 1 && open:
				return ends[0], i
			case len(ends) == 2 && !open:
				return ends[1], ends[1].From - 1
			}
		}
	}
	return Expr{}, i
}

// shrinks reports whether what stands before the bracket that is token i is given what is left of
// itself: a loop might never end otherwise.
func (m *mutator) shrinks(i int) bool {
	before := m.Text[:m.tokens[i].Start]
	name, value, _ := strings.Cut(before[strings.LastIndexByte(before, '\n')+1:], "=")
	return strings.TrimSpace(name) == strings.TrimSpace(value)
}
