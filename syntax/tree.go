package syntax

import (
	"slices"
	"strings"
)

// Expr is a part of a source, from token From to before token To.
type Expr struct{ From, To int }

// Empty reports whether there is nothing in it.
func (e Expr) Empty() bool { return e.To <= e.From }

// Where is the first token in it, within groups too, of which something holds; -1 if it holds
// of none.
func (e Expr) Where(holds func(i int) bool) int {
	for i := e.From; i < e.To; i++ {
		if holds(i) {
			return i
		}
	}
	return -1
}

// Tree is a text, cut into tokens. Comments and white space belong to none. Places are
// numbers of tokens.
type Tree struct {
	Text string
	// Statements are those of a text whose page has Heads.
	Statements []Statement

	page     *Page
	tokens   []token
	comments []Span
	mates    []int       // of a bracket: the one that it belongs to
	around   []int       // the innermost bracket around a token; -1 if there is none
	blocks   []int       // where the block around a token begins; -1 if there is none
	ends     map[int]int // where blocks end that no bracket closes
	given    map[string][]given
}

// Parse cuts a text into tokens and finds which brackets belong together, in one pass.
func (p *Page) Parse(text string) *Tree {
	s := scanner{Lexis: p.Lexis, text: text}
	for s.at < len(text) {
		s.next()
	}
	t := &Tree{Text: text, page: p, tokens: s.tokens, comments: s.comments}
	t.mates, t.around, t.blocks = make([]int, len(t.tokens)), make([]int, len(t.tokens)), make([]int, len(t.tokens))
	var open, braces []int
	opened := map[string]int{} // how many brackets of each kind are open
	for i := range t.tokens {
		t.mates[i], t.around[i], t.blocks[i] = len(t.tokens), last(open), last(braces)
		switch {
		case t.Opens(i) || t.opens(i, last(open)):
			opened[t.closing(i)]++
			if open = append(open, i); !t.Is(i, "(", "[") {
				braces = append(braces, i)
			}
		case t.Closes(i) || t.shuts(i):
			open = t.close(open, opened, i)
			for len(braces) > 0 && t.mates[last(braces)] <= i {
				braces = braces[:len(braces)-1]
			}
		}
	}
	if p.Heads != nil {
		t.divide()
		t.block(p.Checking.Functions(t))
	}
	return t
}

// block makes blocks of functions that stand in no other one, instead of braces.
func (t *Tree) block(functions []Function) {
	t.ends = map[int]int{}
	for i := range t.blocks {
		t.blocks[i] = -1
	}
	for _, fn := range functions {
		t.ends[fn.Head.From] = fn.Body.To
		for i := fn.Head.From; i < fn.Body.To; i++ {
			t.blocks[i] = fn.Head.From
		}
	}
}

// blockEnd is where a block ends.
func (t *Tree) blockEnd(begin int) int {
	if t.ends != nil {
		return t.ends[begin]
	}
	return t.mates[begin]
}

// last is the last of some places; -1 if there is none.
func last(places []int) int {
	if len(places) == 0 {
		return -1
	}
	return places[len(places)-1]
}

// close closes the last open bracket of the kind of one that closes, and those that
// were opened after it. It is not looked for if none of its kind is open.
func (t *Tree) close(open []int, opened map[string]int, at int) []int {
	closing := t.Word(at)
	t.mates[at] = at
	if opened[closing] == 0 {
		return open
	}
	for {
		last := open[len(open)-1]
		open = open[:len(open)-1]
		opened[t.closing(last)]--
		if t.mates[last] = at; t.closing(last) == closing {
			t.mates[at] = last
			return open
		}
	}
}

// Comments are the comments of the text, in order.
func (t *Tree) Comments() []Span { return t.comments }

// Len is the number of tokens.
func (t *Tree) Len() int { return len(t.tokens) }

// All is all of the text.
func (t *Tree) All() Expr { return Expr{0, len(t.tokens)} }

// Word is token i as it is written; empty where there is none.
func (t *Tree) Word(i int) string {
	if i < 0 || i >= len(t.tokens) {
		return ""
	}
	return t.Text[t.tokens[i].Start:t.tokens[i].End]
}

// Is reports whether token i is one of some words or signs.
func (t *Tree) Is(i int, words ...string) bool {
	w := t.Word(i)
	return w != "" && slices.Contains(words, w)
}

// Kind is the kind of token i; Sign where there is none.
func (t *Tree) Kind(i int) Kind {
	if i < 0 || i >= len(t.tokens) {
		return Sign
	}
	return t.tokens[i].kind
}

// Named reports whether token i is a name or a keyword.
func (t *Tree) Named(i int) bool { return t.Kind(i) == Word }

// Literal reports whether token i is a number, a text or a pattern.
func (t *Tree) Literal(i int) bool { return t.Kind(i) > Word }

// Opens reports whether token i opens a group, Closes whether it closes one.
func (t *Tree) Opens(i int) bool {
	return t.Kind(i) == Sign && t.Is(i, "(", "[", "{") || t.Named(i) && t.mates[i] > i && t.mates[i] < len(t.tokens)
}

// Closes reports whether token i closes a group.
func (t *Tree) Closes(i int) bool {
	return t.Kind(i) == Sign && t.Is(i, ")", "]", "}") || t.Named(i) && t.mates[i] < i
}

// Group is the place behind the group that token i opens; behind the token itself if
// it opens none.
func (t *Tree) Group(i int) int {
	if !t.Opens(i) {
		return i + 1
	}
	return min(t.mates[i]+1, len(t.tokens))
}

// Opening is the place of the bracket that token i closes; i if it closes none.
func (t *Tree) Opening(i int) int {
	if !t.Closes(i) {
		return i
	}
	return t.mates[i]
}

// Inside is what stands between the brackets that token i opens.
func (t *Tree) Inside(i int) Expr { return Expr{i + 1, max(i+1, t.mates[i])} }

// Whole reports whether an expression is one group in brackets.
func (t *Tree) Whole(e Expr) bool {
	return !e.Empty() && !t.Named(e.From) && t.Opens(e.From) && t.Group(e.From) == e.To
}

// Args are the arguments of the call whose bracket is token i.
func (t *Tree) Args(i int) []Expr { return t.Split(t.Inside(i), ",") }

// Span is where an expression stands. One that is empty stands at the end of the text.
func (t *Tree) Span(e Expr) Span {
	if e.Empty() || e.From >= len(t.tokens) {
		return Span{len(t.Text), len(t.Text)}
	}
	return Span{t.tokens[e.From].Start, t.tokens[min(e.To, len(t.tokens))-1].End}
}

// Source is the text of an expression.
func (t *Tree) Source(e Expr) string { s := t.Span(e); return t.Text[s.Start:s.End] }

// Replace puts a text in the place of an expression.
func (t *Tree) Replace(e Expr, text string) []Edit { return []Edit{{t.Span(e), text}} }

// Wrap puts texts before and behind an expression.
func (t *Tree) Wrap(e Expr, before, behind string) []Edit { return Around(t.Span(e), before, behind) }

// Insert puts a text behind token i.
func (t *Tree) Insert(i int, text string) []Edit {
	at := t.tokens[i].End
	return []Edit{{Span{at, at}, text}}
}

// Lead is all that stands before a function, comments too, from the end of what is
// before it to its name.
func (t *Tree) Lead(fn Function) string {
	from := 0
	if fn.Head.From > 0 {
		from = t.tokens[fn.Head.From-1].End
	}
	return t.Text[from:t.tokens[fn.Body.From].Start]
}

// Broken reports whether a line ends before token i.
func (t *Tree) Broken(i int) bool {
	return i > 0 && i < len(t.tokens) && strings.Contains(t.Text[t.tokens[i-1].End:t.tokens[i].Start], "\n")
}

// Adjacent reports whether nothing stands before token i and the one before it.
func (t *Tree) Adjacent(i int) bool {
	return i > 0 && i < len(t.tokens) && t.tokens[i-1].End == t.tokens[i].Start
}

// most is how far a token is looked for: a hostile text is not read again and again.
const most = 2000

// Find is the first of some words or signs in an expression, outside of groups; -1 if
// there is none before the end of a statement or of the group around.
func (t *Tree) Find(e Expr, words ...string) int {
	for i := e.From; i < min(e.To, len(t.tokens), e.From+most); i = t.Group(i) {
		switch {
		case t.Kind(i) <= Word && t.Is(i, words...):
			return i
		case t.Closes(i), t.Is(i, ";"):
			return -1
		}
	}
	return -1
}

// Split divides an expression at a word or a sign, outside of groups and, at a comma, of
// the arguments of types.
func (t *Tree) Split(e Expr, mark string) []Expr {
	var out []Expr
	from := e.From
	for i := e.From; i < e.To; {
		switch {
		case t.Kind(i) <= Word && t.Is(i, mark):
			out = append(out, Expr{from, i})
			i++
			from = i
		case mark == "," && t.Is(i, "<"):
			i = t.Types(i, e.To)
		case mark == "," && t.Is(i, "|") && (i == from || t.Is(i-1, "move")):
			i = max(i, t.Find(Expr{i + 1, e.To}, "|")) + 1 // the parameters of a closure
		default:
			i = t.Group(i)
		}
	}
	if from < e.To {
		out = append(out, Expr{from, e.To})
	}
	return out
}
