package syntax

import "strings"

// held notes the mutants of the values that are put into the text at token i, as in ${value}.
func (m *mutator) held(i int) {
	if m.Puts == nil || m.Kind(i) != Text {
		return
	}
	word, start := m.Tree.Word(i), m.tokens[i].Start
	open := m.Puts(word)
	for at := 0; open != ""; {
		found := strings.Index(word[at:], open)
		if found < 0 {
			return
		}
		at += found + len(open)
		if strings.HasPrefix(word[at:], open) { // {{ is a sign
			at += len(open)
			continue
		}
		end := at - 1 + m.page.Lexis.Enclosed(word[at-1:])
		if word[end-1] != '}' {
			return
		}
		m.inside(Span{start + at, start + end - 1})
		at = end
	}
}

// inside notes the mutants of a value that stands in a text, without how it is written there.
func (m *mutator) inside(s Span) {
	t := m.page.Parse(m.Text[s.Start:s.End])
	if how := t.Find(t.All(), ":", "!"); how > 0 && m.Text[s.Start-2] != '$' && m.Text[s.Start-2] != '#' {
		t = m.page.Parse(m.Text[s.Start : s.Start+t.tokens[how].Start])
	}
	in := &mutator{Tree: t, Changing: m.Changing, similar: m.similar, mixedAt: map[string]int{}}
	if m.counts() {
		in.types, in.ends = []string{""}, []int{t.Len() + 1}
	}
	for i := 0; i < t.Len(); {
		i = max(i+1, in.token(i))
	}
	for to, list := range map[*[]Mutant][]Mutant{&m.found: in.found, &m.near: in.near} {
		for _, made := range list {
			made.Edit.Start, made.Edit.End = made.Edit.Start+s.Start, made.Edit.End+s.Start
			made.Line = MutantOf(m.Text, made.Edit, "").Line
			*to = append(*to, made)
		}
	}
}
