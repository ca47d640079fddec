package syntax

import "strings"

// ties notes, for a call at token i that sorts by a part of what it sorts, or looks for the
// first by it, that those of which the part is the same come the other way round. See
// [Changing.Ties].
func (m *mutator) ties(i int) {
	if !m.counts() || !m.Is(i+1, "(", "{") {
		return
	}
	for form, functions := range m.Ties {
		if m.Is(i, strings.Fields(functions)...) {
			m.tie(i, form)
		}
	}
}

func (m *mutator) tie(i int, form string) {
	by, list, begin := m.Inside(i+1), m.Args(i+1), i
	for m.Is(begin-1, ".", "::") {
		begin -= 2
	}
	of, at := strings.TrimSuffix(m.receiver(i), "."), Expr{begin, begin + 1}
	if strings.Contains(form, "$1") {
		if len(list) < 2 {
			return
		}
		of, by.From = m.Source(list[0]), list[0].To
	}
	text := strings.NewReplacer("$0", of, "$1", of).Replace(form)
	switch {
	case !m.byOne(by), form[0] == '.' && begin == i, strings.Contains(form, "$0") && (begin == i || !m.Named(begin)):
		return
	case form[0] == '.':
		at, text = Expr{i - 1, i}, text+"."
	case strings.HasSuffix(form, " "): // before the call
		text += m.Source(at)
	default:
		at = list[0]
	}
	made := m.note(Slip, at, text)
	made.What, made.Shown = "what sorts as equal the other way round", "(equal ones the other way round) "+m.Source(at)
}

// byOne reports whether what a call sorts by is one part of what it sorts, and no more.
func (m *mutator) byOne(by Expr) bool {
	part, wholes := false, strings.Fields("cmp partial_cmp total_cmp unwrap compareTo localeCompare compare Compare")
	for i := by.From; i < by.To; i++ {
		switch {
		case m.Is(i, "||", "or", "if", "?", "Or", "then", "then_with", "thenComparing"):
			return false
		case m.Is(i, "(", "[") && i > by.From && (!m.Named(i-1) || m.Continues(i-1)) && len(m.Args(i)) > 1 && !m.Is(m.Group(i), "=>", "->", "{"):
			return false // several parts, side by side
		case (m.Is(i, ".", "::") || strings.HasPrefix(m.Tree.Word(i), "$") && m.Is(i+1, "->")) && !m.Is(i+1, wholes...), m.Is(i, "[") && m.Is(i-1, "]"), m.Is(i, "itemgetter", "attrgetter"), m.Is(i, "&") && m.Is(i+2, ")"):
			part = true
		}
	}
	return part
}
