package syntax

import (
	"cmp"
	"slices"
	"strings"
)

// Changing is how a source is changed a little.
type Changing struct {
	// Inert is the place behind what begins at token i and does nothing that a test could
	// notice: imports, types, messages; i if nothing of the kind begins there.
	Inert func(t *Tree, i int) int
	Swaps map[string]string // the operators that take each other's place
	// Angles are the operators that stand between values only if blanks stand around them.
	Angles []string
	// Returned lists other values than one that a function returns whose type is written
	// as of.
	Returned func(t *Tree, e Expr, of string) []Result
	Blank    string // a text that holds a line break, for [TypedResults]
	// Close lists functions, as they are called, that make of any value one that is hardly
	// another, by no more than a loose comparison lets pass: the next number, the other case,
	// another order; the number before, a blank in front, another first element. They are for
	// languages in which the type of a value shows only when it runs.
	Close []string
	// Returns is the value that token i, as return, says is returned; empty if there is none.
	Returns func(t *Tree, i int) Expr
	// Type is the type of what a function returns that begins at token i, or whose body
	// does, and the token that opens the body; -1 if none begins there.
	Type func(t *Tree, i int) (of string, body int)
	// Condition is what token i asks, as if, or as the comma behind another condition; empty
	// if it asks nothing that can be turned round.
	Condition func(t *Tree, i int) Expr
	Not       string // turns a condition in brackets round; empty for "!"
	Always    string // lets a condition in brackets before it always hold; empty for " || true"
	// Word is what takes the place of an operator that is a word, and where it stands.
	Word func(t *Tree, i int) (at Expr, other string)
	// Binary reports whether the operator at token i stands between two values, where more
	// than what stands before it tells.
	Binary func(t *Tree, i int) bool
	// Errors are two classes of errors: the first that is not the one that is thrown takes
	// its place. Thrown is where the class stands that token i throws.
	Errors [2]string
	Thrown func(t *Tree, i int) Expr
	// Handled lists classes of errors that extend one; for "*", what passes on an error, $, of the program's own.
	Handled map[string]string
	// Constant is another literal than token i; empty if none tells anything.
	Constant func(t *Tree, i int) string
	// Puts is what opens a value that is put into a text, as "${", and which "}" closes; empty
	// for a text that takes none.
	Puts  func(text string) string
	Words map[string]string // true and false
	// Ties lists functions that sort, or find the first, by what makes those that are equal come
	// the other way round: ".text" stands before the dot, a text that ends with a blank before
	// the call, any other one for the first argument; $0 is what is called, $1 that argument.
	Ties    map[string]string
	Copying Copying
	Range   string // the signs between the ends of a part of a list or a text, each optional
	// Typed is set if values have types: nothing is taken from a text, and a text in the
	// other case is hardly another one.
	Typed  bool
	Bodies bool // only what stands in a function counts
}

// Result is another value than one that a function returns.
type Result struct {
	At     Expr // what it stands for; empty for all that is returned
	Text   string
	Rank   int    // how much it tells: the lower, the more
	Near   bool   // it is hardly another one
	Subtle bool   // see [Mutant.Subtle]
	What   string // in words; empty if the text says it
	Done   string // does what the result does, and returns nothing; empty where a return says it
}

// mutator collects the mutants of a source.
type mutator struct {
	*Tree
	Changing

	types       []string // of what the functions return in whose bodies the token under way stands
	ends        []int    // where those bodies end
	found, near []Mutant
	similar     map[string][]string // see [Tree.confusable]
	mixedAt     map[string]int      // where names stand that were mixed up last, by both; by none if one was given a value last
}

// Mutants lists small changes of a source: what a function returns, what a condition
// asks, an operator, a constant.
func (p *Page) Mutants(text string) []Mutant { return p.changed(text).found }

// Near lists changes that a loose test may not notice.
func (p *Page) Near(text string) []Mutant { return p.changed(text).near }

func (p *Page) changed(text string) *mutator {
	t := p.Parse(text)
	m := &mutator{Tree: t, Changing: p.Changing, similar: t.confusable(), mixedAt: map[string]int{}}
	for i := 0; i < m.Len(); {
		i = max(i+1, m.token(i))
	}
	m.copies()
	return m
}

// counts reports whether what stands at the token under way is changed at all: what stands
// in no function is not, where that counts.
func (m *mutator) counts() bool { return len(m.ends) > 0 || !m.Bodies }

// add adds a mutant to a list.
func (m *mutator) add(list *[]Mutant, rank int, e Edit, what string) *Mutant {
	made := MutantOf(m.Text, e, what)
	made.Rank = rank
	*list = append(*list, made)
	return &(*list)[len(*list)-1]
}

// instead adds one that puts a text in the place of an expression, if it counts.
func (m *mutator) instead(list *[]Mutant, rank int, e Expr, text string) *Mutant {
	if text == "" || !m.counts() {
		return &Mutant{}
	}
	return m.add(list, rank, Edit{m.Span(e), text}, text+" for "+m.Source(e))
}

// note adds a mutant, and nearly a change that is hardly one.
func (m *mutator) note(rank int, e Expr, text string) *Mutant {
	return m.instead(&m.found, rank, e, text)
}
func (m *mutator) nearly(e Expr, text string) { m.instead(&m.near, 0, e, text) }

// token notes the mutants that begin at a token, and returns where to go on.
func (m *mutator) token(i int) int {
	for len(m.ends) > 0 && i >= m.ends[len(m.ends)-1] {
		m.types, m.ends = m.types[:len(m.types)-1], m.ends[:len(m.ends)-1]
	}
	if m.Type != nil {
		if of, body := m.Type(m.Tree, i); body >= i {
			m.types, m.ends = append(m.types, of), append(m.ends, m.Group(body))
		}
	}
	m.thrown(i)
	m.handled(i)
	if end := m.Inert(m.Tree, i); end > i {
		for ; i < end; i++ { // it may still say what parameters are by default
			m.defaults(i)
		}
		return end
	}
	m.returned(i)
	switch m.Kind(i) {
	case Word:
		m.word(i)
	case Sign:
		m.operator(i)
		m.kept(i)
		m.uncut(i)
	case Number, Text, Pattern:
		m.constant(i)
		m.expression(i)
		m.held(i)
	}
	return i + 1
}

// word notes what takes the place of a word.
func (m *mutator) word(i int) {
	m.asked(i)
	if !m.defaults(i) {
		m.note(3, Expr{i, i + 1}, m.Words[m.Tree.Word(i)])
	}
	m.mixed(i)
	m.odd(i)
	m.namesake(i)
	m.ties(i)
	m.lastly(i)
	other, at := m.twin(i), Expr{i, i + 1}
	if m.Changing.Word != nil {
		if e, own := m.Changing.Word(m.Tree, i); own != "" {
			at, other = e, own
		}
	}
	m.note(2, at, other)
}

// asked notes the contrary of what token i asks, and of what is asked behind commas.
func (m *mutator) asked(i int) {
	cond := m.Condition(m.Tree, i)
	if cond.Empty() {
		return
	}
	m.note(1, cond, cmp.Or(m.Not, "!")+"("+m.Source(cond)+")")
	if !m.Is(i, "while", "until", "for", "loop") { // which might never end
		m.clauses(cond)
		// hardly an error where a test shows the other side, and else one that none notices
		m.instead(&m.near, 0, cond, "("+m.Source(cond)+")"+cmp.Or(m.Always, " || true")).Subtle = true
	}
	if m.Is(cond.To, ",") {
		m.asked(cond.To)
	}
}

// kept notes the contrary of what token i gives a name, if that is put together of conditions.
func (m *mutator) kept(i int) {
	e := Expr{i + 1, min(m.End(i+1), m.ValueEnd(i+1))}
	if !m.Is(i, "=", ":=") || m.byDefault(i+1) || m.Find(e, "&&", "||", "and", "or") < 0 || m.Find(e, "?", "=>", "->", "lambda", "if") >= 0 {
		return
	}
	m.note(1, e, cmp.Or(m.Not, "!")+"("+m.Source(e)+")")
	m.clauses(e)
}

// returned notes other values than the one that token i says is returned.
func (m *mutator) returned(i int) {
	e := m.Returns(m.Tree, i)
	if e.Empty() {
		return
	}
	of := ""
	for _, t := range m.types {
		of = cmp.Or(t, of)
	}
	for _, r := range m.Returned(m.Tree, e, of) {
		if r.At.Empty() {
			r.At = e
		}
		m.result(r)
	}
	for _, function := range m.Close {
		m.add(&m.near, 0, Edit{m.Span(e), function + "(" + m.Source(e) + ")"}, "a value close to "+m.Source(e))
	}
	m.together(e, 0)
	m.clauses(e)
}

// result notes another value than one that is returned, in a function where that counts.
func (m *mutator) result(r Result) {
	list := &m.found
	if r.Near {
		list = &m.near
	}
	made := m.instead(list, r.Rank, r.At, r.Text)
	made.Result, made.Done, made.Subtle = true, r.Done, r.Subtle
	if r.What != "" {
		made.What, made.Shown = r.What+" for "+m.Source(r.At), "("+r.What+")"
	}
}

// thrown notes another class of error than the one that is thrown, and less of what it says.
func (m *mutator) thrown(i int) {
	if m.Thrown == nil || m.Thrown(m.Tree, i).Empty() {
		return
	}
	class := m.Thrown(m.Tree, i)
	other := m.Errors[0]
	if strings.TrimLeft(m.Source(class), `\`) == strings.TrimLeft(other, `\`) {
		other = m.Errors[1]
	}
	m.nearly(class, other)
	for k, end := class.To, m.Inert(m.Tree, i); k < end; k++ {
		if m.Kind(k) == Text {
			m.nearly(Expr{k, k + 1}, firstHalf(m.Tree.Word(k)))
		}
	}
}

// operator swaps an operator between two values, or one that counts.
func (m *mutator) operator(i int) {
	w := m.Tree.Word(i)
	to := m.Swaps[w]
	blank := i > 0 && i+1 < m.Len() && !m.Adjacent(i) && !m.Adjacent(i+1)
	value := m.Named(i-1) || m.Literal(i-1) || m.Is(i-1, ")", "]") || m.Is(i-1, "}") && blank && !m.Broken(i)
	text := m.Typed && w == "+" && (strings.HasSuffix(m.Tree.Word(i-1), `"`) || strings.HasSuffix(m.Tree.Word(i+1), `"`))
	switch {
	case to == "", text, m.Named(i-1) && m.Continues(i-1), m.Binary != nil && !m.Binary(m.Tree, i):
	case w == "++" || w == "--":
		if !m.Typed || !m.Is(i+1, ")") && !m.Is(i+2, ")") { // the head of a loop, which might never end
			m.note(2, Expr{i, i + 1}, to)
		}
	case value && (blank || !slices.Contains(m.Angles, w)):
		m.note(2, Expr{i, i + 1}, to)
		m.turned(i)
		m.beside(i)
	}
}
