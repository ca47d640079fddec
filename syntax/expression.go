package syntax

import "github.com/git-tdd/git-tdd/internal/lazyregexp"

// turnPattern matches what a regular expression asks of a place or a character, and that can
// be turned round: whether something follows or stands before, a class, a set.
var turnPattern = lazyregexp.New(`\(\?<?[=!]|\\[dDwWsSbB]|\[\^`)

// turned is the contrary of what turnPattern matches.
func turned(part string) string {
	switch last := part[len(part)-1]; last {
	case '=':
		return part[:len(part)-1] + "!"
	case '!':
		return part[:len(part)-1] + "="
	case '^':
		return "["
	default:
		return `\` + string(last^('a'^'A'))
	}
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
