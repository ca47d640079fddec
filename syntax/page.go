package syntax

import "github.com/git-tdd/git-tdd/internal/lazyregexp"

// Page is what one language has of its own. What is left empty does without.
type Page struct {
	Lexis Lexis
	// Newlines is set if a statement may end with its line.
	Newlines bool
	// Insists is set if a statement ends with its line wherever it can.
	Insists bool
	// Keywords is set if a call may name its arguments, as f(a=1).
	Keywords bool
	// Heads are the words that begin a compound statement, up to the first of its colons
	// that closes no word of Within, where lines and indentation make the blocks, and names
	// are given values in functions; nil if braces do.
	Heads  []string
	Within string
	// Words is how words make blocks; nil if braces alone do, or indentation.
	Words *WordBlocks
	// Named is the value that token i names, as let(:name) { value }; the name is empty if
	// it names none in such a way.
	Named func(t *Tree, i int) (name string, value Expr)
	// Spaced is set if it may count whether there is a blank between two tokens.
	Spaced bool
	// Between lists the words that stand between two values, as in and instanceof.
	Between []string
	// Declares reports whether token i is a name that is declared there, if a value is
	// given to it at once.
	Declares func(t *Tree, i int) bool
	// Gives is what the name at token i is given there, in a language in which more than =
	// and what stands before a name tells that; ok is false if it is given nothing. A name
	// that is only declared has no value, one that is given anything else an empty one. It
	// stands for Declares and Changes.
	Gives func(t *Tree, i int) (value Expr, declared, ok bool)
	// Changes reports whether token i is a name that is bound or changed there in another
	// way than by being given a value.
	Changes  func(t *Tree, i int) bool
	Values   Values
	Checking Checking
	Expects  Expecting
	Changing Changing
	// Directive reports whether a comment is read by a tool that decides what runs.
	Directive func(comment string) bool
	// Silent reports whether token i does nothing when a source runs; nil if none is.
	Silent func(t *Tree, i int) bool
	// Break reports whether the line break before token i counts.
	Break func(t *Tree, i int) bool
}

// Making is what counts as a value that is written out: what only puts values together,
// or what any constructor makes, too.
type Making int

// The ways of making a value.
const (
	Plainly Making = iota
	Loosely
)

// Values is how a value that is written out in a test is made another one.
type Values struct {
	// Literal is another literal than one; empty if there is none.
	Literal func(kind Kind, text string, to Way) string
	Words   map[string]string // constants that are words, and what takes their place
	Nothing string            // the constant by which a row of a table expects nothing
	Empty   map[string]string // what takes the place of an empty group, by its bracket
	// Another is a function, up to its bracket, that makes another value of any: a name is
	// altered where it is used, because what a value is shows only when the test runs.
	// Empty if it is altered where the name is given its value.
	Another string
	Far     string // a number that is far from any, which is added to and taken from numbers
	// Core is an expression without what only borrows it or gives it another type. See [Wrapping].
	Core func(t *Tree, e Expr) Expr
	// Makes lists what a call or a list only puts together to a value; ok is false if an
	// expression does something else. See [Making] and [MadeBy].
	Makes func(t *Tree, e Expr, how Making) (of []Expr, ok bool)
	// Fields are the names of what stands in a row of a table, if they are told elsewhere.
	Fields func(t *Tree, row Expr) []string
	Keys   []string // what stands between the key and the value of an entry
	Joins  string   // the operator that joins texts, beside +
	Self   []string // what stands before a name that is the class's own, as self::NAME
	Asks   []string // the methods that compare what they are called with
	// Rest alters what is written out in an expression that is nothing else.
	Rest func(f *Finder, e Expr, to Way) []Edit
	// Asked alters what an expression compares with that is no comparison to be seen; nil
	// if only Asks do.
	Asked func(f *Finder, e Expr) []Edit
}

// Checking is how tests of a language say what they expect.
type Checking struct {
	// Functions lists the functions of a file, or of the parts of it that are tests.
	Functions func(t *Tree) []Function
	// Parts are the parts of a source that are tests; what stands outside them is altered
	// nowhere. Nil where a source holds none.
	Parts func(source string) []Span
	// Judges reports whether what is called at token i, by its name, checks something.
	Judges func(t *Tree, i int) bool
	// Begin notes what the head of a function expects. It reports whether its body is to
	// be gone through.
	Begin func(f *Finder, fn Function) bool
	// End completes what was found in a function, behind the first checks; nil if nothing is to be.
	End func(f *Finder, fn Function, first int)
	// Visit notes the check that begins at token i, and returns the place behind it; i
	// or less to go on with the next token.
	Visit func(f *Finder, i int) int
	// Fails reports whether a block or a statement fails a test, whatever happens.
	Fails func(t *Tree, e Expr) bool
}

// Function is a function, a method or a test.
type Function struct {
	Name   string
	Test   string // as Declared has it; empty if it is no test
	Head   Expr   // its annotations and what else stands before its name
	Params Expr   // between its brackets
	Body   Expr   // with its braces
}

// Wrapping is what may stand around a value that only borrows it, or gives it another type:
// [Wrapping.Core] is a [Values.Core].
type Wrapping struct {
	Before   []string               // signs before it, as & and *
	Behind   []string               // signs behind it, as !
	Types    []string               // what stands between it and its type, as the word as
	Brackets bool                   // brackets around it
	Cast     func(text string) bool // what stands in brackets before it; nil if nothing does
	Converts func(name string) bool // the methods that are called without arguments; nil if none are
}

// Core is an expression without all of that, and without what takes all of a slice.
func (w Wrapping) Core(t *Tree, e Expr) Expr {
	for was := (Expr{}); e != was && !e.Empty(); {
		was = e
		cut, method := t.Find(e, w.Types...), e.To-3
		switch {
		case t.Is(e.From, w.Before...):
			e.From++
		case cut > e.From && cut < e.To:
			e.To = cut
		case t.Is(e.To-1, w.Behind...):
			e.To--
		case w.Brackets && t.Whole(e) && t.Is(e.From, "("):
			e = t.Inside(e.From)
		case w.Cast != nil && t.Is(e.From, "(") && t.Group(e.From) < e.To && t.Named(e.From+1) && w.Cast(t.Source(t.Inside(e.From))):
			e.From = t.Group(e.From)
		case w.Converts != nil && method-1 > e.From && t.Is(method-1, ".") && t.Is(e.To-2, "(") && t.Is(e.To-1, ")") && w.Converts(t.Word(method)):
			e.To = method - 1
		case method > e.From && t.Is(method, "[") && t.Is(e.To-2, "..") && t.Is(e.To-1, "]"):
			e.To = method
		}
	}
	return e
}

// MadeBy is [Values.Makes] for a language in which what makes a value stands before the
// bracket: plainly matches that, with the bracket, if it only puts values together, loosely
// if it is any constructor.
func MadeBy(plainly, loosely lazyregexp.Regexp) func(t *Tree, e Expr, how Making) ([]Expr, bool) {
	return func(t *Tree, e Expr, how Making) ([]Expr, bool) {
		open := t.Opening(e.To - 1)
		if open <= e.From || open == e.To-1 {
			return nil, false
		}
		maker := t.Source(Expr{e.From, open + 1})
		return t.Args(open), plainly.MatchString(maker) || how == Loosely && loosely.MatchString(maker)
	}
}
