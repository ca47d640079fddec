package syntax

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// Finder collects the checks of a file.
type Finder struct {
	*Tree

	Out        []Check
	Helpers    map[string]bool // functions of the file that check something
	Test, Unit string          // under way
	Body       Span            // of it, for its checks; empty if names tell tests apart

	functions []Function
	parts     []Span            // of the text that are tests; nil where all of it is
	bound     map[string][]Expr // what names stand for that go through a table
	making    Making
	partial   bool // see [Check.Partial]; of the check that is added next
	depth     int
}

// Checks finds what decides whether the tests of a file pass. The kind tells a file of
// tests from a source that holds some.
func (p *Page) Checks(text string, kind gates.Kind) []Check {
	f := p.Finder(text)
	if p.Checking.Parts != nil && kind == gates.KindSource {
		f.parts = append([]Span{}, p.Checking.Parts(text)...)
	}
	f.functions = slices.DeleteFunc(p.Checking.Functions(f.Tree), func(fn Function) bool { return !f.InTests(fn.Body.From) })
	f.know()
	for _, fn := range f.functions {
		f.function(fn)
	}
	return f.Out
}

// Declared names the tests of a file, in order.
func (p *Page) Declared(text string) []string {
	var out []string
	for _, fn := range p.Checking.Functions(p.Parse(text)) {
		if fn.Test != "" {
			out = append(out, fn.Test)
		}
	}
	return out
}

// Finder is what collects the checks of a file, with none yet.
func (p *Page) Finder(text string) *Finder {
	return &Finder{Tree: p.Parse(text), Helpers: map[string]bool{}, bound: map[string][]Expr{}}
}

// InTests reports whether a token is part of a test.
func (f *Finder) InTests(i int) bool {
	at := f.Span(Expr{i, i + 1}).Start // a function may end before its body begins
	return f.parts == nil || slices.ContainsFunc(f.parts, func(s Span) bool { return s.Start <= at && at < s.End })
}

// know notes which functions check something, themselves or by another one.
func (f *Finder) know() {
	judges := func(i int) bool {
		return f.Named(i) && (f.Helpers[f.Word(i)] && f.Is(i+1, "(") || f.page.Checking.Judges(f.Tree, i))
	}
	for before := -1; before < len(f.Helpers); {
		before = len(f.Helpers)
		for _, fn := range f.functions {
			if fn.Test == "" && !f.Helpers[fn.Name] && fn.Body.Where(judges) >= 0 {
				f.Helpers[fn.Name] = true
			}
		}
	}
}

// function collects the checks of a function. One that is no test is a helper.
func (f *Finder) function(fn Function) {
	f.Test, f.Unit = fn.Test, fn.Name+"@"+strconv.Itoa(fn.Body.From)
	f.Body, f.bound = Span{}, map[string][]Expr{}
	if begin := f.page.Checking.Begin; begin != nil && !begin(f, fn) {
		return
	}
	first := len(f.Out)
	f.Walk(fn.Body)
	if end := f.page.Checking.End; end != nil {
		end(f, fn, first)
	}
}

// Defined reports whether a function is one of the file's own.
func (f *Finder) Defined(name string) bool {
	return slices.ContainsFunc(f.functions, func(fn Function) bool { return fn.Name == name })
}

// Walk finds the checks in a part of the source.
func (f *Finder) Walk(e Expr) {
	for i := e.From; i < e.To; {
		i = max(i+1, f.page.Checking.Visit(f, i))
	}
}

// Note adds a check, if it can be altered or negated.
func (f *Finder) Note(at Expr, altered, negated []Edit) *Check {
	if len(altered)+len(negated) == 0 {
		return &Check{}
	}
	return f.Add(Check{At: f.Span(at), Altered: altered, Negated: negated})
}

// Add adds a check of the test under way. Where an edit leaves a value as it is written,
// that is only where it is written out.
func (f *Finder) Add(c Check) *Check {
	c.Test, c.Unit, c.Body = f.Test, f.Unit, f.Body
	c.Partial, f.partial = f.partial, false
	c.Altered = slices.DeleteFunc(c.Altered, func(e Edit) bool {
		told := e.Start < e.End && e.Text == f.Text[e.Start:e.End]
		if told {
			c.Values = append(c.Values, e.Span)
		}
		return told
	})
	f.Out = append(f.Out, c)
	return &f.Out[len(f.Out)-1]
}

// Branch notes an if, whose condition stands in brackets, that fails the test.
func (f *Finder) Branch(i int) {
	cond, at := f.Inside(i+1), f.Group(i+1)
	end := f.Group(at)
	if !f.Is(at, "{") {
		end = f.End(at)
	}
	if !cond.Empty() && f.page.Checking.Fails(f.Tree, Expr{at, end}) {
		f.Note(cond, f.Decided(cond, false), f.Wrap(cond, "!(", ")"))
	}
}

// FailingBy is [Checking.Fails] for a language in which one of the tokens that marks
// knows fails a test, unless some words come before it, as if and try.
func FailingBy(unless string, marks func(t *Tree, i int) bool) func(t *Tree, e Expr) bool {
	words := strings.Fields(unless)
	return func(t *Tree, e Expr) bool {
		at := e.Where(func(i int) bool { return t.Is(i, words...) || marks(t, i) })
		return at >= 0 && !t.Is(at, words...)
	}
}

// Contraries maps each of some words to the one beside it, and that one back.
func Contraries(pairs string) map[string]string {
	out, words := map[string]string{}, strings.Fields(pairs)
	for k, word := range words {
		out[word] = words[k^1]
	}
	return out
}

// Want is what an assertion wants of its arguments.
type Want int

// What an assertion wants: nothing that could be altered, that a condition holds, or does
// not, that the last value that is written out is equal to another one.
const (
	Nothing Want = iota
	Holds
	Contradicted
	Value
)

// Wanted alters what an assertion wants of its arguments.
func (f *Finder) Wanted(want Want, args []Expr) []Edit {
	switch {
	case len(args) == 0 || want == Nothing:
		return nil
	case want == Value:
		return f.Last(args)
	}
	return f.Decided(args[0], Sense(want == Holds))
}

// Helper notes a call of which it is not known which argument is what is expected: the
// last one that is written out, as a rule. Contrary is what turns it round, if none is.
func (f *Finder) Helper(at Expr, args []Expr, contrary []Edit) {
	altered := f.Last(args)
	if altered != nil {
		contrary = nil
	}
	f.Note(at, altered, contrary).Call = true
}
