package python

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// finder collects the checks of a file.
type finder struct {
	*syntax.Finder

	list []syntax.Statement
	fn   function // the one under way
}

// checks finds what decides whether the tests of a file pass.
func checks(content string, _ gates.Kind) []syntax.Check {
	f := &finder{Finder: page().Finder(content)}
	f.list = statements(f.Tree)
	all := functions(f.Tree, f.list)
	for _, tests := range []bool{false, true} {
		for _, fn := range all {
			if fn.isTest() == tests {
				f.Helpers[fn.name] = f.function(fn) && !tests
			}
		}
	}
	return f.Out
}

// function collects the checks of a function, and reports whether there are any. A test
// without any has one that says no more than where the test is.
func (f *finder) function(fn function) bool {
	before := len(f.Out)
	f.fn, f.Test, f.Unit = fn, "", fn.name+"@"+strconv.Itoa(fn.at.Start)
	if fn.isTest() {
		f.Test = fn.name
	}
	f.Scoped(func() {
		f.learn(fn)
		for i := fn.head + 1; i <= f.list[fn.head].Last; i++ {
			f.statement(i)
		}
	})
	if fn.isTest() && len(f.Out) == before {
		f.Add(syntax.Check{At: fn.at})
	}
	guarding := false
	for i := len(f.Out) - 1; i >= before; i-- {
		f.Out[i].Body = fn.at
		f.Out[i].Guard = f.Out[i].Guard && guarding
		guarding = guarding || !f.Out[i].Guard
	}
	return len(f.Out) > before
}

// note adds a check, whether it can be altered or not.
func (f *finder) note(at syntax.Expr, altered, negated []syntax.Edit) *syntax.Check {
	return f.Add(syntax.Check{At: f.Span(at), Altered: altered, Negated: negated})
}

// statement finds the checks of a statement.
func (f *finder) statement(index int) {
	e := f.list[index].Expr
	rest := syntax.Expr{From: e.From + 1, To: e.To}
	switch {
	case f.Is(e.From, "assert"):
		if cond := f.Split(rest, ","); len(cond) > 0 && !cond[0].Empty() && !f.failing(e) {
			f.condition(cond[0], true).Guard = guards(f.Source(cond[0]))
		}
	case f.Is(e.From, "if", "elif") && !rest.Empty() && f.fails(index):
		f.condition(rest, false)
	case f.Is(e.From, "else") && f.fails(index):
		if head := f.before(index); head >= 0 && f.Is(f.list[head].From, "if") {
			f.condition(syntax.Expr{From: f.list[head].From + 1, To: f.list[head].To}, true)
		}
	case f.Is(e.From, "except") && !rest.Empty():
		f.caught(index)
	default:
		f.calls(e)
	}
}

var guardPattern = lazyregexp.New(`(?s)^(?:isinstance|callable|hasattr)\s*\(|\bis\s+not\s+None$`)

// guards reports whether a condition only says that there is something to check.
func guards(text string) bool { return guardPattern.MatchString(text) }

// condition notes a condition that must be met, or must not, for the test to pass.
func (f *finder) condition(e syntax.Expr, passes syntax.Sense) *syntax.Check {
	return f.note(e, f.decided(e, passes), f.Wrap(e, " not (", ")"))
}

// before is the statement of the same block before a statement, or the one that
// its block hangs on; -1 if there is none.
func (f *finder) before(index int) int {
	for i := index - 1; i >= 0 && i > f.list[index].Parent; i-- {
		if f.list[i].Parent == f.list[index].Parent {
			return i
		}
	}
	return -1
}

// fails reports whether a statement of a block fails the test.
func (f *finder) fails(head int) bool {
	for i := head + 1; i <= f.list[head].Last; i++ {
		if f.list[i].Parent == head && f.failing(f.list[i].Expr) {
			return true
		}
	}
	return false
}

var failingPattern = lazyregexp.New(`(?s)^(?:assert\s*\(?\s*(?:False|0|None)\s*(?:$|[,)])|raise\s+(?:self\.failureException|AssertionError)\b|(?:self|cls|pytest)\.fail\s*\(|fail\s*\()`)

// failing reports whether a statement fails the test by itself.
func (f *finder) failing(e syntax.Expr) bool { return failingPattern.MatchString(f.Source(e)) }

// caught notes an exception that is expected: one that is caught where the test
// would fail without it.
func (f *finder) caught(index int) {
	try := f.before(index)
	if try < 0 || !f.Is(f.list[try].From, "try") || !f.fails(try) {
		return
	}
	kinds := syntax.Expr{From: f.list[index].From + 1, To: f.list[index].To}
	if as := f.Find(kinds, "as"); as > 0 {
		kinds.To = as
	}
	f.raised(kinds, kinds, "Exception")
}

// raised notes that an exception of a class is expected: another class is one that
// nothing raises. One that ends the run where it is not caught stays.
func (f *finder) raised(check, class syntax.Expr, base string) {
	text := f.Source(class)
	another := `type("Tdd", (` + base + `,), {})`
	switch {
	case strings.Contains(text, "KeyboardInterrupt"):
		return
	case class.To == class.From+1 && f.Named(class.From) && strings.ToLower(text) == text:
		another = "(" + text + " if KeyboardInterrupt in getattr(" + text + `, "__mro__", ()) else ` + another + ")"
	}
	c := f.note(check, f.Replace(class, another), nil)
	for _, told := range f.Altered(class, syntax.Other) {
		if told.Start < told.End && told.Text == f.Text[told.Start:told.End] {
			c.Values = append(c.Values, told.Span)
		}
	}
}

// decided alters what a condition expects, so that it is no longer what it must be for
// the test to pass. Nothing comes of a condition that no other value would decide.
func (f *finder) decided(e syntax.Expr, passes syntax.Sense) []syntax.Edit {
	for _, joint := range []string{"or", "and"} {
		if parts := f.Split(e, joint); len(parts) > 1 {
			var all []syntax.Edit
			for _, p := range parts {
				all = append(all, f.decided(p, passes)...)
			}
			return all
		}
	}
	switch {
	case e.Empty() || f.Find(e, "if", "lambda", ":=") >= 0:
		return nil
	case f.Is(e.From, "not"):
		return f.decided(syntax.Expr{From: e.From + 1, To: e.To}, !passes)
	case f.Whole(e) && f.Is(e.From, "("):
		return f.decided(f.Inside(e.From), passes)
	}
	if left, sign, right := f.comparison(e); sign != "" {
		return f.compared(left, sign, right, passes)
	}
	return f.predicate(e, passes)
}

// comparison takes the last comparison of an expression apart; the sign is empty
// if it has none.
func (f *finder) comparison(e syntax.Expr) (left syntax.Expr, sign string, right syntax.Expr) {
	for i := e.From; i < e.To; i = f.Group(i) {
		if i == e.From || !f.Is(i, "==", "!=", "<", "<=", ">", ">=", "in", "is") {
			continue
		}
		sign, left, right = f.Word(i), syntax.Expr{From: e.From, To: i}, syntax.Expr{From: i + 1, To: e.To}
		switch {
		case f.Is(i-1, "not"):
			sign, left.To = "not "+sign, i-1
		case f.Is(i+1, "not"):
			sign, right.From = "is not", i+2
		}
	}
	return left, sign, right
}

// compared is decided for a comparison.
func (f *finder) compared(left syntax.Expr, sign string, right syntax.Expr, passes syntax.Sense) []syntax.Edit {
	if _, before, _ := f.comparison(left); before != "" && sign != "==" && sign[0] != '<' && sign[0] != '>' {
		return nil
	}
	switch sign {
	case "==", "!=":
		if passes == syntax.Sense(sign == "==") {
			return f.operand(left, right, syntax.Other, syntax.Other)
		}
	case "<", "<=", ">", ">=":
		if passes == syntax.Sense(sign[0] == '<') {
			return f.operand(left, right, syntax.Up, syntax.Down) // x < 3 fails if 3 goes down, 3 < x if 3 goes up
		}
		return f.operand(left, right, syntax.Down, syntax.Up)
	case "in", "not in":
		if passes == syntax.Sense(sign == "in") && !f.Opens(left.From) {
			return f.Altered(left, syntax.Other)
		}
	case "is", "is not":
		if passes == syntax.Sense(sign == "is") && f.Is(right.From, "True", "False") {
			return f.Altered(right, syntax.Other)
		}
	}
	return nil
}

// operand alters the operand of a comparison that is written out: the right one
// where both are.
func (f *finder) operand(left, right syntax.Expr, toLeft, toRight syntax.Way) []syntax.Edit {
	if edits := f.Altered(right, toRight); edits != nil {
		return edits
	}
	if _, sign, last := f.comparison(left); sign != "" {
		left = last // in a chain the middle
	}
	return f.Altered(left, toLeft)
}

// predicate is decided for a call that compares one of its arguments with something: by
// the place of that.
func (f *finder) predicate(e syntax.Expr, passes syntax.Sense) []syntax.Edit {
	open := f.Opening(e.To - 1)
	if !bool(passes) || open <= e.From || !f.Is(open, "(") {
		return nil
	}
	place := slices.Index([]bool{
		f.Is(open-1, "startswith", "endswith", "match", "search", "fullmatch", "equals"), f.Is(open-1, "array_equal", "allclose", "isclose"),
	}, true)
	if args := f.Args(open); place >= 0 && place < len(args) {
		return f.Altered(args[place], syntax.Other)
	}
	return nil
}
