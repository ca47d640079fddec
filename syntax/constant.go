package syntax

import (
	"cmp"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// constant notes another literal than token i, and what hardly differs from a text that tells
// anything.
func (m *mutator) constant(i int) {
	w, one, other := m.Tree.Word(i), Expr{i, i + 1}, m.Constant(m.Tree, i)
	if m.Kind(i) == Number && other != "" {
		other = cmp.Or(m.limit(i), other)
	}
	if !m.defaults(i) {
		m.note(3, one, other)
	}
	if m.Kind(i) != Text || other == "" {
		return
	}
	m.nearly(one, firstHalf(w))
	if cased := OtherCase(w); m.Typed && strings.IndexByte("\"`", w[len(w)-1]) >= 0 && cased != w {
		m.nearly(one, cased)
	}
}

// defaults notes another value than token i if that is what a parameter is where a call
// leaves it out, and reports whether it is.
func (m *mutator) defaults(i int) bool {
	if !m.byDefault(i) {
		return false
	}
	text, one := m.Words[m.Tree.Word(i)], Expr{i, i + 1}
	if m.Literal(i) {
		text = m.Constant(m.Tree, i)
	}
	if text != "" {
		m.add(&m.found, 3, Edit{m.Span(one), text}, text+" for "+m.Source(one)).Default = true
	}
	return true
}

// byDefault reports whether token i is what a parameter is where a call leaves it out.
func (t *Tree) byDefault(i int) bool {
	open := t.Around(i)
	if !t.Is(i-1, "=") || !t.Is(open, "(") {
		return false
	}
	if head := strings.Fields("def fun func function fn constructor"); t.Is(open-1, head...) || t.Is(open-2, head...) {
		return true
	}
	end := t.Group(open)
	for end < t.Len() && !t.Opens(end) && !t.Broken(end) && !t.Is(end, "=>") {
		end++ // over what it returns
	}
	return t.Is(end, "=>") || t.Is(end, "{") && t.Named(open-1) && !t.Is(open-1, strings.Fields("if while for switch catch")...)
}

// turnPattern matches what a regular expression asks of a place or a character, and that can
// be turned round: whether something follows or stands before, a class, a set.
var turnPattern = lazyregexp.New(`\(\?<?[=!]|\\[dDwWsSbB]|\[\^`)

// turned is the contrary of what turnPattern matches.
func turned(part string) string {
	return cmp.Or(Contraries(`(?= (?! (?<= (?<! \d \D \w \W \s \S \b \B`)[part], "[")
}

// oftenPattern matches where a regular expression takes something any number of times.
var oftenPattern = lazyregexp.New(`(?:\[\^?[^\]]+\]|[.)]|\\[dDwWsS])[*+]`)

// expression notes what the regular expression in a literal asks, turned round, and what it
// takes any number of times, once: that it matches something else says more than that it
// matches nothing.
func (m *mutator) expression(i int) {
	span := m.Span(Expr{i, i + 1})
	if !m.counts() || m.byDefault(i) || m.Kind(i) == Text && m.Constant(m.Tree, i) == "" {
		return
	}
	word := m.Tree.Word(i)
	note := func(from, to int, text string) {
		m.add(&m.found, 3, Edit{Span{span.Start + from, span.Start + to}, text}, text+" for "+word[from:to])
	}
	for _, at := range turnPattern().FindAllStringIndex(word, -1) {
		note(at[0], at[1], turned(word[at[0]:at[1]]))
	}
	for _, at := range oftenPattern().FindAllStringIndex(word, -1) {
		last := at[1] - 1
		note(at[0], at[1], word[at[0]:last]+map[byte]string{'*': "?", '+': "{1}"}[word[last]])
	}
}
