package ruby

import (
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// nearValues are values that differ from the one that they are called with by no more
// than a loose comparison lets pass: the next number, the other case, another order;
// the number before, a blank in front, another first element.
func nearValues() []string {
	return []string{
		`->(v) { case v; when Integer then v + 1; when Float then v + 0.05 * v.abs + 0.05; when String, Symbol then v.swapcase; ` +
			`when Array then v.reverse; else v; end }`,
		`->(v) { case v; when Integer then v - 1; when Float then v - 0.05 * v.abs - 0.05; when String then "\n" + v; ` +
			`when Array then v.empty? ? v : [Object.new] + v[1..-1]; else v; end }`,
	}
}

var raisedPattern = lazyregexp.New(`^\s*(?:raise|fail)[ (]+([A-Z][\w:]*)`)

// near lists what methods return, as values that are hardly other ones.
func near(content string) []syntax.Mutant {
	m := mutator{text: content, lines: statements(content)}
	var out []syntax.Mutant
	for i := range m.lines {
		if hit := raisedPattern.FindStringSubmatchIndex(m.lines[i].Masked); hit != nil {
			at, other := group(m.lines[i], hit), "IndexError"
			if content[at.Start:at.End] == other {
				other = "TypeError"
			}
			out = append(out, syntax.MutantOf(content, syntax.Edit{Span: at, Text: other}, other+" for "+content[at.Start:at.End]))
		}
		at, ok := m.value(i)
		if !ok {
			continue
		}
		for _, value := range nearValues() {
			out = append(out, syntax.MutantOf(content, m.around(at, value+".call((", "))"), "a value close to "+content[at.Start:at.End]))
		}
	}
	return out
}
