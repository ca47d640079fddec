package syntax

import (
	"slices"
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

// Expecting is how a text of tests says what it expects, comments blank and what is quoted
// hidden.
type Expecting struct {
	Pattern lazyregexp.Regexp
	// Begins reports whether a statement begins with token i, and Block whether one opens a
	// block. Nil where only the pattern tells what belongs to an expectation.
	Begins func(t *Tree, i int) bool
	Block  func(masked string) bool
}

// Assertions lists what a text of tests expects.
func (p *Page) Assertions(text string) []string {
	if p.Expects.Begins != nil {
		return p.statements(text)
	}
	return p.expected(text)
}

// expected lists what a text of tests says where the pattern matches it: up to the end of
// the bracket that the match opens, and behind a call all that is chained to it. The
// pattern's groups say more: what the first matches goes on to the end of its statement;
// what the second matches begins with its statement, and has nothing chained to it; what
// the third matches must hold a literal. Line breaks within brackets and before a point do
// not count, so that formatting changes nothing.
func (p *Page) expected(text string) []string {
	t := p.Parse(text)
	_, masked := t.mask()
	literal := func(i int) bool { return t.Literal(i) || p.Values.Words[t.Word(i)] != "" }
	var out []string
	for at, last := 0, (Expr{}); ; at = max(at, t.tokens[last.To-1].End) {
		hit := p.Expects.Pattern().FindStringSubmatchIndex(masked[at:])
		if hit == nil || len(t.tokens) == 0 {
			return out
		}
		group := func(n int) bool { return len(hit) > 2*n && hit[2*n] >= 0 }
		head := Expr{t.tokenAt(at + hit[0]), t.tokenAt(at+hit[1]-1) + 1}
		at, last = at+hit[1], t.expectation(head, last.To, group)
		if !group(3) || (Expr{last.From, min(last.To, last.From+most)}).Where(literal) >= 0 {
			out = append(out, t.Folded(last))
		}
	}
}

// expectation is all of the expectation that begins with a head, of which some groups took
// part. What stands before floor belongs to another one.
func (t *Tree) expectation(head Expr, floor int, group func(n int) bool) Expr {
	switch open := t.opened(head); {
	case group(1):
		head.To = max(head.From+1, t.ListEnd(head.From))
	case open >= 0:
		head.To = max(head.To, t.Group(open))
		if links := t.Chain(head.To); len(links) > 0 && t.Is(open, "(") && !group(2) {
			head.To = t.LinkEnd(links[len(links)-1])
		}
	}
	for group(2) && head.From > floor && !t.Is(head.From-1, ";", "{", "}") {
		head.From--
	}
	return head
}

// tokenAt is the token at a byte, or the last one before it.
func (t *Tree) tokenAt(at int) int {
	i, found := slices.BinarySearchFunc(t.tokens, at, func(k token, at int) int { return k.Start - at })
	if !found {
		i--
	}
	return max(0, i)
}

// opened is the first bracket of an expression that stays open behind it; -1 if none does.
func (t *Tree) opened(e Expr) int {
	open := e.To - 1
	if !t.Opens(open) {
		open = t.around[open]
	}
	if open < e.From {
		return -1
	}
	for t.around[open] >= e.From {
		open = t.around[open]
	}
	return open
}

// Folded is an expression without its comments, on one line.
func (t *Tree) Folded(e Expr) string {
	var out strings.Builder
	for i := e.From; i < min(e.To, len(t.tokens)); i++ {
		tight := t.Broken(i) && (t.Is(i-1, "(", "[") || t.Is(i, ")", "]", ".", "?."))
		last := t.Is(i, ",") && t.Broken(i+1) && t.Closes(i+1) // of a list over several lines
		if i > e.From && !tight && !t.Is(i, ",") && (!t.Adjacent(i) || t.Is(i-1, ",")) {
			out.WriteByte(' ')
		}
		word := t.Word(i)
		if strings.Contains(word, "\n") {
			word = strings.Join(strings.Fields(word), " ") // of a text, which may be indented
		}
		if !last {
			out.WriteString(word)
		}
	}
	return out.String()
}

// statements lists the statements that the pattern matches, white space folded, each behind
// the blocks that it is indented in.
func (p *Page) statements(text string) []string {
	var out []string
	var under []indented
	t := p.Parse(text)
	bare, masked := t.mask()
	for from, to := 0, 0; from < len(t.tokens); from = to {
		for to = from + 1; to < len(t.tokens) && !p.Expects.Begins(t, to); {
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
		if len(under) > 0 {
			now.text = under[len(under)-1].text + " " + now.text
		}
		under = append(under, now)
		head := strings.TrimSpace(masked[start:end])
		if p.Expects.Pattern.MatchString(head) {
			out = append(out, now.text)
		}
		if !p.Expects.Block(head) {
			under = under[:len(under)-1]
		}
	}
	return out
}

// indented is a statement behind those that it stands in, white space folded.
type indented struct {
	text   string
	indent int
}
