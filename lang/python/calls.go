package python

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

// call is a call as it stands in a statement.
type call struct {
	expr

	name string // the last word of what is called
	on   string // the word before it, as self or pytest
	args []expr
}

// calls finds the checks among the calls of an expression: assertions of libraries,
// and calls of helpers.
func (f *finder) calls(e expr) {
	for i, t := range e {
		if t.kind != group {
			continue
		}
		if c := f.call(e[:i+1]); c.name == "" || !f.asserts(c, e) {
			f.calls(f.inner(t))
		}
	}
}

// call is the call that an expression ends with; it has no name if it ends with
// something else.
func (f *finder) call(e expr) call {
	last := len(e) - 1
	if last < 1 || e[last].kind != group || f.masked[e[last].Start] != '(' || e[last-1].kind != word {
		return call{}
	}
	c := call{expr: e[last-1:], name: f.of(e[last-1].Span), args: f.split(f.inner(e[last]), ",")}
	if last > 2 && f.is(e, last-2, ".") {
		c.on = f.of(e[last-3].Span)
	}
	return c
}

// positional are the arguments of a call that have no name.
func (f *finder) positional(c call) []expr {
	return slices.DeleteFunc(slices.Clone(c.args), func(a expr) bool { return f.is(a, 1, "=") || f.is(a, 0, "*", "**") })
}

// asserts notes a call that decides whether the test passes. It reports whether it
// is one, in a statement.
func (f *finder) asserts(c call, in expr) bool {
	for _, family := range []func(call) bool{f.exceptions, f.equalities, f.orders, f.truths, f.opposites, f.mocks} {
		if family(c) {
			return true
		}
	}
	if f.matchers(c, in) {
		return true
	}
	f.helper(c, in)
	return false // what a helper is handed may check, too
}

// exceptions notes that an exception or a warning is expected.
func (f *finder) exceptions(c call) bool {
	base := "Exception"
	switch c.name {
	case "raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp":
	case "warns", "assertWarns", "assertWarnsRegex":
		base = "Warning"
	case "assertLogs":
		a := f.first(c.args)
		f.add(testrun.Check{At: c.span(), Altered: a.edits, Values: a.values})
		return true
	default:
		return false
	}
	for _, a := range c.args {
		if f.is(a, 0, "expected_exception", "expected_warning", "exception", "exc") && f.is(a, 1, "=") {
			a = a[2:]
		}
		if !f.is(a, 1, "=") && len(a) > 0 {
			f.raised(c.expr, a, base)
			return true
		}
	}
	for _, a := range c.args {
		if f.is(a, 0, "match") {
			altered := f.altered(a[2:], testrun.Other)
			f.add(testrun.Check{At: c.span(), Altered: altered.edits, Values: altered.values})
		}
	}
	return true
}

// first alters the first of some arguments that is written out.
func (f *finder) first(args []expr) alteration {
	for _, a := range args {
		if f.is(a, 1, "=") {
			a = a[2:]
		}
		if found := f.altered(a, testrun.Other); found.edits != nil {
			return found
		}
	}
	return alteration{}
}

var equalityPattern = lazyregexp.New(`^(?:assert(?:List|Dict|Set|Tuple|Sequence|Count|Items|Almost|Query[sS]et|JSON|XML|HTML|MultiLine)?(?:Equals?|Contains)|eq_` +
	`|assert_(?:(?:array|frame|series|index|extension_array|allclose|approx|almost|array_almost|array_max|string|list|dict)_)*equal|assert_allclose|assert_(?:array_)?almost_equal)$`)

// equalities notes that two values are expected to be equal. Where none is written
// out, the second is another where it is compared: the assertion stays the same.
func (f *finder) equalities(c call) bool {
	args := f.positional(c)
	if !equalityPattern.MatchString(c.name) || f.helpers[c.name] || len(args) < 2 {
		return false
	}
	check := testrun.Check{At: c.span()}
	a := f.altered(args[1], testrun.Other)
	if a.edits == nil {
		a = f.altered(args[0], testrun.Other)
	}
	check.Altered, check.Values = a.edits, a.values
	check.Negated = f.another(args[1]).edits
	f.add(check)
	return true
}

// orders notes that a value is expected to be less or greater than another one.
func (f *finder) orders(c call) bool {
	args := f.positional(c)
	if len(args) < 2 || !slices.Contains([]string{"assertGreater", "assertGreaterEqual", "assertLess", "assertLessEqual"}, c.name) {
		return false
	}
	left, right := testrun.Down, testrun.Up
	if strings.HasPrefix(c.name, "assertLess") {
		left, right = testrun.Up, testrun.Down
	}
	a := f.operand(args[0], args[1], left, right)
	f.add(testrun.Check{At: c.span(), Altered: a.edits, Values: a.values, Negated: renamed(c)})
	return true
}

// truths notes that a condition is expected to be met, or not.
func (f *finder) truths(c call) bool {
	if len(c.args) == 0 || !slices.Contains([]string{"assertTrue", "assert_", "failUnless", "ok_", "assertFalse", "failIf"}, c.name) {
		return false
	}
	f.condition(c.args[0], sense(c.name == "assertFalse" || c.name == "failIf"), false)
	return true
}

// pairs are the assertions of unittest, and of its mocks, that say the contrary of
// each other.
func pairs() map[string]string {
	out := map[string]string{"assert_called_once": "assert_not_called", "assert_awaited_once": "assert_not_awaited"}
	for _, pair := range [][2]string{
		{"assertEqual", "assertNotEqual"},
		{"assertAlmostEqual", "assertNotAlmostEqual"},
		{"assertIs", "assertIsNot"},
		{"assertIsNone", "assertIsNotNone"},
		{"assertIn", "assertNotIn"},
		{"assertIsInstance", "assertNotIsInstance"},
		{"assertRegex", "assertNotRegex"},
		{"assertGreater", "assertLessEqual"},
		{"assertGreaterEqual", "assertLess"},
		{"assert_called", "assert_not_called"},
		{"assert_awaited", "assert_not_awaited"},
	} {
		out[pair[0]], out[pair[1]] = pair[1], pair[0]
	}
	return out
}

// renamed turns an assertion into its contrary.
func renamed(c call) []testrun.Edit {
	if to := pairs()[c.name]; to != "" {
		return replaced(c.expr[0].Span, to).edits
	}
	return nil
}

// opposites notes an assertion that has a contrary.
func (f *finder) opposites(c call) bool {
	args := f.positional(c)
	if pairs()[c.name] == "" {
		return false
	}
	check := testrun.Check{At: c.span(), Negated: renamed(c), Guard: c.name == "assertIsNotNone" || c.name == "assertIsInstance"}
	var a alteration
	switch {
	case c.name == "assertIn" && len(args) > 1 && args[0][0].kind != group:
		a = f.altered(args[0], testrun.Other)
	case (c.name == "assertRegex" || c.name == "assertIs") && len(args) > 1 && !f.is(args[1], 0, "None"):
		a = f.altered(args[1], testrun.Other)
	}
	check.Altered, check.Values = a.edits, a.values
	f.add(check)
	return true
}

// mocks notes which calls of a mock are expected.
func (f *finder) mocks(c call) bool {
	if !slices.Contains(strings.Fields("assert_called_with assert_called_once_with assert_any_call assert_has_calls assert_awaited_with assert_awaited_once_with"), c.name) {
		return false
	}
	a := f.first(c.args)
	if a.edits == nil && len(c.args) == 0 {
		a = replaced(c.expr[1].Span, `("~tdd")`)
	}
	check := testrun.Check{At: c.span(), Altered: a.edits, Values: a.values}
	if args := f.positional(c); len(args) > 0 {
		check.Negated = f.another(args[0]).edits
	}
	f.add(check)
	return true
}

// matchers notes an expectation that is put together: assert_that(x, equal_to(5)),
// expect(x).to_equal(5).
func (f *finder) matchers(c call, in expr) bool {
	if c.name != "assert_that" && c.name != "expect" || f.helpers[c.name] {
		return false
	}
	var a alteration
	if chained := f.call(in); chained.name != "" && chained.expr[0] != c.expr[0] {
		a = f.first(chained.args)
	} else if len(c.args) > 1 {
		a = f.first(append([]expr{c.args[1]}, f.call(c.args[1]).args...))
	}
	f.add(testrun.Check{At: in.span(), Altered: a.edits, Values: a.values})
	return true
}

var helperPattern = lazyregexp.New(`^_{0,2}(?:assert|check|verify|expect)(?:[A-Z_]|$)`)

// helper notes a call of a function that checks, by what the file or its name says.
func (f *finder) helper(c call, in expr) {
	if !f.helpers[c.name] && (!helperPattern.MatchString(c.name) || c.span().End != in.span().End) {
		return
	}
	args := slices.Clone(c.args)
	slices.Reverse(args)
	if a := f.first(args); a.edits != nil {
		f.add(testrun.Check{At: c.span(), Call: true, Altered: a.edits, Values: a.values})
	}
}
