package python

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// call is a call as it stands in a statement.
type call struct {
	syntax.Expr        // without what it is called on
	name        string // the last word of what is called
	args        []syntax.Expr
}

// calls finds the checks among the calls of an expression: assertions of libraries,
// and calls of helpers.
func (f finder) calls(e syntax.Expr) {
	for i := e.From; i < e.To; i = f.Group(i) {
		if !f.Opens(i) {
			continue
		}
		if c := f.call(i); c.name == "" || !f.asserts(c, e) {
			f.calls(f.Inside(i))
		}
	}
}

// call is the call whose bracket is token i; it has no name if it is none.
func (f finder) call(i int) call {
	if !f.Is(i, "(") || !f.Named(i-1) {
		return call{}
	}
	return call{Expr: syntax.Expr{From: i - 1, To: f.Group(i)}, name: f.Word(i - 1), args: f.Args(i)}
}

// one reports whether a call is of one of some names.
func (c call) one(names string) bool { return slices.Contains(strings.Fields(names), c.name) }

// another puts another value in the place of an expression.
func (f finder) another(e syntax.Expr) []syntax.Edit {
	return f.Replace(e, anotherValue+"("+f.Source(e)+")")
}

// asserts notes a call that decides whether the test passes. It reports whether it
// is one, in a statement.
func (f finder) asserts(c call, in syntax.Expr) bool {
	args := slices.DeleteFunc(slices.Clone(c.args), func(a syntax.Expr) bool { return f.Is(a.From+1, "=") || f.Is(a.From, "*", "**") })
	switch {
	case c.one("raises assertRaises assertRaisesRegex assertRaisesRegexp"):
		f.exception(c, "Exception")
	case c.one("warns assertWarns assertWarnsRegex"):
		f.exception(c, "Warning")
	case c.name == "assertLogs":
		f.note(c.Expr, f.First(c.args, syntax.Other), nil)
	case equalityPattern.MatchString(c.name) && !f.Helpers[c.name] && len(args) > 1:
		// Where none is written out, the second is another where it is compared: the assertion stays.
		f.note(c.Expr, f.First([]syntax.Expr{args[1], args[0]}, syntax.Other), f.another(args[1]))
	case c.one("assertGreater assertGreaterEqual") && len(args) > 1:
		f.note(c.Expr, f.Sides(args[0], args[1], syntax.Up), f.renamed(c))
	case c.one("assertLess assertLessEqual") && len(args) > 1:
		f.note(c.Expr, f.Sides(args[0], args[1], syntax.Down), f.renamed(c))
	case c.one("assertTrue assert_ failUnless ok_ assertFalse failIf") && len(c.args) > 0:
		f.condition(c.args[0], syntax.Sense(!c.one("assertFalse failIf")))
	case pairs()[c.name] != "":
		f.opposite(c, args)
	case c.one("assert_called_with assert_called_once_with assert_any_call assert_has_calls assert_awaited_with assert_awaited_once_with"):
		f.mock(c, args)
	case c.one("assert_that expect") && !f.Helpers[c.name]:
		f.matcher(c, in)
	default:
		if f.Helpers[c.name] || helperPattern.MatchString(c.name) && c.To == in.To {
			f.Helper(c.Expr, c.args, nil)
		}
		return false // what a helper is handed may check, too
	}
	return true
}

// helperPattern matches the name of a function that checks.
var helperPattern = lazyregexp.New(`^_{0,2}(?:assert|check|verify|expect)(?:[A-Z_]|$)`)

// exception notes that an exception or a warning is expected.
func (f finder) exception(c call, base string) {
	for _, a := range c.args {
		if f.Is(a.From, "expected_exception", "expected_warning", "exception", "exc") && f.Is(a.From+1, "=") {
			a.From += 2
		}
		if !f.Is(a.From+1, "=") && !a.Empty() {
			f.raised(c.Expr, a, base)
			return
		}
	}
	for _, a := range c.args {
		if f.Is(a.From, "match") {
			f.note(c.Expr, f.Altered(a, syntax.Other), nil)
		}
	}
}

var equalityPattern = lazyregexp.New(`^(?:assert(?:List|Dict|Set|Tuple|Sequence|Count|Items|Almost|Query[sS]et|JSON|XML|HTML|MultiLine)?(?:Equals?|Contains)|eq_` +
	`|assert_(?:(?:array|frame|series|index|extension_array|allclose|approx|almost|array_almost|array_max|string|list|dict)_)*equal|assert_allclose|assert_(?:array_)?almost_equal)$`)

// pairs are the assertions of unittest, and of its mocks, that say the contrary of
// each other.
func pairs() map[string]string {
	out := syntax.Contraries(`assertEqual assertNotEqual assertAlmostEqual assertNotAlmostEqual assertIs assertIsNot assertIsNone assertIsNotNone
		assertIn assertNotIn assertIsInstance assertNotIsInstance assertRegex assertNotRegex assertGreater assertLessEqual assertGreaterEqual assertLess
		assert_called assert_not_called assert_awaited assert_not_awaited`)
	out["assert_called_once"], out["assert_awaited_once"] = "assert_not_called", "assert_not_awaited"
	return out
}

// renamed turns an assertion into its contrary.
func (f finder) renamed(c call) []syntax.Edit {
	return f.Replace(syntax.Expr{From: c.From, To: c.From + 1}, pairs()[c.name])
}

// opposite notes an assertion that has a contrary.
func (f finder) opposite(c call, args []syntax.Expr) {
	var altered []syntax.Edit
	switch {
	case c.name == "assertIn" && len(args) > 1 && !f.Opens(args[0].From):
		altered = f.Altered(args[0], syntax.Other)
	case c.one("assertRegex assertIs") && len(args) > 1 && !f.Is(args[1].From, "None"):
		altered = f.Altered(args[1], syntax.Other)
	}
	f.note(c.Expr, altered, f.renamed(c)).Guard = c.one("assertIsNotNone assertIsInstance")
}

// mock notes which calls of a mock are expected.
func (f finder) mock(c call, args []syntax.Expr) {
	altered := f.First(c.args, syntax.Other)
	if altered == nil && len(c.args) == 0 {
		altered = f.Replace(syntax.Expr{From: c.From + 1, To: c.To}, `("~tdd")`)
	}
	var negated []syntax.Edit
	if len(args) > 0 {
		negated = f.another(args[0])
	}
	f.note(c.Expr, altered, negated)
}

// matcher notes an expectation that is put together: assert_that(x, equal_to(5)),
// expect(x).to_equal(5).
func (f finder) matcher(c call, in syntax.Expr) {
	var altered []syntax.Edit
	if chained := f.call(f.Opening(in.To - 1)); chained.name != "" && chained.From != c.From {
		altered = f.First(chained.args, syntax.Other)
	} else if len(c.args) > 1 {
		inner := f.call(f.Opening(c.args[1].To - 1))
		altered = f.First(append([]syntax.Expr{c.args[1]}, inner.args...), syntax.Other)
	}
	f.note(in, altered, nil)
}
