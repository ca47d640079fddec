package syntax

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// Line reports whether a statement that lines end begins with token i, outside of brackets
// that hold values.
func (t *Tree) Line(i int) bool { return i == 0 || t.ended(i) && !t.Is(t.around[i], "(", "[") }

// Lines cuts an expression at its lines.
func (t *Tree) Lines(e Expr) []Expr {
	var out []Expr
	for i := e.From; i < e.To; i++ {
		if i == e.From || t.Line(i) {
			out = append(out, Expr{i, i})
		}
		out[len(out)-1].To = i + 1
	}
	return out
}

// Expectations lists the statements that a pattern matches, white space folded, each behind
// the blocks that it is indented in. Begins reports whether a statement begins with a token,
// block is what opens one. Both patterns see what is quoted hidden.
func (p *Page) Expectations(text string, begins func(t *Tree, i int) bool, expects lazyregexp.Regexp, block func(masked string) bool) []string {
	var out []string
	var under []indented
	bare, masked := p.Mask(text)
	t := p.Parse(text)
	for from, to := 0, 0; from < len(t.tokens); from = to {
		for to = from + 1; to < len(t.tokens) && !begins(t, to); {
			to++
		}
		start, end := t.tokens[from].Start, len(text)
		if to < len(t.tokens) {
			end = t.tokens[to].Start
		}
		now := indented{strings.Join(strings.Fields(bare[start:end]), " "), t.Indent(from)}
		for len(under) > 0 && under[len(under)-1].indent >= now.indent {
			under = under[:len(under)-1]
		}
		under = append(under, now)
		head := strings.TrimSpace(masked[start:end])
		if expects.MatchString(head) {
			out = append(out, joined(under))
		}
		if !block(head) {
			under = under[:len(under)-1]
		}
	}
	return out
}

// indented is a statement, white space folded.
type indented struct {
	text   string
	indent int
}

// joined are some statements in one line.
func joined(all []indented) string {
	var texts []string
	for _, one := range all {
		texts = append(texts, one.text)
	}
	return strings.Join(texts, " ")
}
