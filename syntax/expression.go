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

// expression notes what the regular expression in a literal asks, turned round: that it
// matches something else says more than that it matches nothing.
func (m *mutator) expression(i int) {
	span := m.Span(Expr{i, i + 1})
	if len(m.ends) == 0 && m.Bodies || m.byDefault(i) || m.Kind(i) == Text && m.Changing.Constant(m.Tree, i) == "" {
		return
	}
	for _, at := range turnPattern.FindAllStringIndex(m.Tree.Word(i), -1) {
		part := m.Tree.Word(i)[at[0]:at[1]]
		edit := Edit{Span{span.Start + at[0], span.Start + at[1]}, turned(part)}
		made := MutantOf(m.Text, edit, edit.Text+" for "+part)
		made.Rank = 3
		m.found = append(m.found, made)
	}
}
