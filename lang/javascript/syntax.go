package javascript

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// code is a text as tokens without its comments, and which brackets belong
// together. Places are numbers of tokens.
type code struct {
	src   string
	toks  []token
	mate  []int // of a bracket: the one that it belongs to
	block []int // the brace around a token; -1 where there is none
	given map[string][]given
}

// part is some tokens, from one to before another.
type part struct{ from, to int }

func (p part) empty() bool { return p.to <= p.from }

func newCode(src string) *code {
	c := &code{src: src}
	c.toks = slices.DeleteFunc(tokens(src), func(t token) bool { return t.kind == commentKind })
	c.mate, c.block = make([]int, len(c.toks)), make([]int, len(c.toks))
	var open []int
	for i := range c.toks {
		c.mate[i], c.block[i] = len(c.toks)-1, -1
		for _, o := range slices.Backward(open) {
			if c.at(o) == "{" {
				c.block[i] = o
				break
			}
		}
		switch c.at(i) {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			open = c.close(open, i)
		}
	}
	return c
}

// close closes the last open bracket of the kind of one that closes, and gives up
// those that were opened after it.
func (c *code) close(open []int, at int) []int {
	opening := map[string]string{")": "(", "]": "[", "}": "{"}[c.at(at)]
	for i, o := range slices.Backward(open) {
		if c.at(o) == opening {
			c.mate[o], c.mate[at] = at, o
			return open[:i]
		}
	}
	c.mate[at] = at
	return open
}

// at is a token's text; nothing where there is none. What stands between quotes is
// never taken for a sign or a word.
func (c *code) at(i int) string {
	if i < 0 || i >= len(c.toks) {
		return ""
	}
	return c.src[c.toks[i].start:c.toks[i].end]
}

func (c *code) kind(i int) kind {
	if i < 0 || i >= len(c.toks) {
		return signKind
	}
	return c.toks[i].kind
}

func (c *code) span(p part) testrun.Span {
	if p.empty() {
		return testrun.Span{}
	}
	return testrun.Span{Start: c.toks[p.from].start, End: c.toks[p.to-1].end}
}

func (c *code) text(p part) string {
	s := c.span(p)
	return c.src[s.Start:s.End]
}

// replace puts a text in the place of some tokens.
func (c *code) replace(p part, text string) []testrun.Edit {
	return []testrun.Edit{{Span: c.span(p), Text: text}}
}

// around puts texts before and behind some tokens.
func (c *code) around(p part, before, behind string) []testrun.Edit {
	return testrun.Around(c.span(p), before, behind)
}

// inside is what stands between a bracket and the one that closes it.
func (c *code) inside(open int) part { return part{open + 1, max(open+1, c.mate[open])} }

// split divides tokens at a sign outside brackets.
func (c *code) split(p part, by string) []part {
	var out []part
	from := p.from
	for i := p.from; i < p.to; i++ {
		switch c.at(i) {
		case "(", "[", "{":
			i = max(i, min(c.mate[i], p.to-1))
		case by:
			out = append(out, part{from, i})
			from = i + 1
		}
	}
	if from < p.to {
		out = append(out, part{from, p.to})
	}
	return out
}

// find is the first token of those outside brackets that is one of some signs;
// -1 if there is none.
func (c *code) find(p part, signs ...string) int {
	for i := p.from; i < p.to; i++ {
		s := c.at(i)
		if slices.Contains(signs, s) {
			return i
		}
		if s == "(" || s == "[" || s == "{" {
			i = max(i, c.mate[i])
		}
	}
	return -1
}

// args are the arguments of the call whose bracket opens at a place.
func (c *code) args(open int) []part { return c.split(c.inside(open), ",") }

// link is a name in a chain, and the bracket with what it is called with.
type link struct{ name, open int }

func (l link) called() bool { return l.open >= 0 }

// end is the place behind a link.
func (c *code) end(l link) int {
	if l.called() {
		return c.mate[l.open] + 1
	}
	return l.name + 1
}

// chain lists what is chained to what ends before a place: in "a(b).c.d(e)" c and
// d.
func (c *code) chain(at int) []link {
	var out []link
	for (c.at(at) == "." || c.at(at) == "?.") && c.kind(at+1) == wordKind {
		l := link{name: at + 1, open: -1}
		if open := c.arguments(at + 2); open >= 0 {
			l.open = open
		}
		out = append(out, l)
		at = c.end(l)
	}
	return out
}

// arguments is the bracket with the arguments of a call, which may stand behind
// type arguments; -1 if there is none.
func (c *code) arguments(at int) int {
	if c.at(at) == "(" {
		return at
	}
	if c.at(at) != "<" {
		return -1
	}
	for depth := 0; at < len(c.toks); at++ {
		switch c.at(at) {
		case "<":
			depth++
		case ">":
			depth--
		case ">>":
			depth -= 2
		case "(", "[", "{":
			at = max(at, c.mate[at])
		case ";", "=", "&&", "||":
			return -1
		}
		if depth <= 0 {
			break
		}
	}
	if c.at(at+1) == "(" {
		return at + 1
	}
	return -1
}

// bare takes brackets around an expression away, and what only tells the compiler
// its type.
func (c *code) bare(p part) part {
	if i := c.find(p, "as", "satisfies"); i > p.from {
		p.to = i
	}
	for !p.empty() && c.at(p.to-1) == "!" {
		p.to--
	}
	if !p.empty() && c.at(p.from) == "(" && c.mate[p.from] == p.to-1 {
		return c.bare(c.inside(p.from))
	}
	return p
}

// title is what the argument of a test or suite says of its name. What is not
// written out stands as in a template.
func (c *code) title(p part) string {
	var out strings.Builder
	for _, p := range c.split(p, "+") {
		if k := c.kind(p.from); p.to == p.from+1 && (k == textKind || k == templateKind) {
			start, end := c.toks[p.from].contents(c.src)
			out.WriteString(scan.Unquoted(c.src[start:end]))
			continue
		}
		out.WriteString("${}")
	}
	return out.String()
}
