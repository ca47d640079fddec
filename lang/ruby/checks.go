package ruby

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// testName is the name of the test that token i begins, as Declared has it: of a method as
// it is called, of a block its title. Rails makes a method of a title.
func testName(t *syntax.Tree, i int) string {
	at := i + 1
	for t.Is(at, "(") {
		at++
	}
	switch {
	case t.Is(i, "def"):
		if name := t.Word(i + 1); strings.HasPrefix(name, "test") {
			return name
		}
		return ""
	case !t.Is(i, strings.Fields("test define_method it xit fit specify example scenario")...), t.Kind(at) != syntax.Text, strings.IndexByte(`"'`, t.Word(at)[0]) < 0:
		return ""
	}
	title := t.Title(at)
	switch {
	case t.Is(i, "test"):
		return "test_" + strings.Join(strings.Fields(title), "_")
	case t.Is(i, "define_method") && !strings.HasPrefix(title, "test"):
		return ""
	}
	return title
}

// functions lists the tests of a file, and its methods and hooks that are none.
func functions(t *syntax.Tree) []syntax.Function {
	var out []syntax.Function
	for i := range t.Len() {
		fn := syntax.Function{Body: syntax.Expr{From: i}}
		switch {
		case t.Is(i, "def"):
			fn.Name = t.Word(name(t, i))
		case !t.Starts(i):
			continue
		}
		fn.Test = testName(t, i)
		last := len(out) - 1
		within := last >= 0 && i < out[last].Body.To
		switch {
		case fn.Test+fn.Name == "" && !t.Is(i, "before", "after", "around", "setup", "teardown"), within && (fn.Test == "" || out[last].Test != ""):
			continue
		case within:
			out[last].Body.To = i // tests stand in the helper
		}
		fn.Body.To = end(t, i)
		out = append(out, fn)
	}
	return out
}

// begin notes where a test is, should it have no check, and binds what the blocks around it
// go through.
func begin(f *syntax.Finder, fn syntax.Function) bool {
	f.Unit, f.Body = fn.Test+"@"+strconv.Itoa(f.Span(fn.Body).Start), f.Span(fn.Body)
	if fn.Test != "" {
		f.Add(syntax.Check{At: syntax.Span{Start: f.Body.Start, End: f.Body.Start}})
	}
	for at := f.Around(fn.Body.From); at >= 0; at = f.Around(at) {
		through(f, at-1)
	}
	return true
}

// through binds what the block that token i is called with goes through, as each.
func through(f *syntax.Finder, i int) {
	if !f.Is(i, "each", "each_pair", "map") || !f.Is(i-1, ".") || !f.Is(i+1, "do", "{") || !f.Is(i+2, "|") {
		return
	}
	rows := f.Rows(syntax.Expr{From: f.Opening(i - 2), To: i - 1}, i)
	bar := f.Find(syntax.Expr{From: i + 3, To: f.Len()}, "|")
	f.BindAll(syntax.Expr{From: i + 3, To: bar}, rows)
}

var (
	assertPattern = lazyregexp.New(`^(?:(?:assert|refute)(?:_\w+)?[?!]?|should(?:_not)?)$`)
	mustPattern   = lazyregexp.New(`^(?:(?:must|wont)_\w+|should(?:_not)?)$`)
)

// judges reports whether what is called at token i checks something.
func judges(t *syntax.Tree, i int) bool {
	switch on := i - 2; {
	case !t.Named(i) || t.Is(i-1, "def"):
		return false
	case !t.Is(i-1, "."):
		return assertPattern.MatchString(t.Word(i))
	case t.Is(i, "to", "not_to", "to_not"):
		if t.Closes(on) && !t.Named(on) {
			on = t.Opening(on) - 1
		}
		return t.Is(on, "end") || strings.Contains(t.Word(on), "expect")
	}
	return mustPattern.MatchString(t.Word(i))
}

// visit finds the check that begins at token i.
func visit(f *syntax.Finder, i int) int {
	through(f, i)
	switch {
	case f.Helpers[f.Word(i)] && f.Starts(i):
		if edits := f.First(arguments(f, i), syntax.Other); edits != nil {
			note(f, i, edits, nil).Call = true
		}
	case !judges(f.Tree, i):
	case f.Is(i, "to", "not_to", "to_not", "should", "should_not"):
		matcher(f, i)
	default:
		assertion(f, i)
	}
	return i
}

// note adds a check, whether it can be altered or not.
func note(f *syntax.Finder, i int, altered, negated []syntax.Edit) *syntax.Check {
	return f.Add(syntax.Check{At: f.Span(syntax.Expr{From: i, To: end(f.Tree, i)}), Altered: altered, Negated: negated})
}

// arguments are those of the call of token i, in brackets or not.
func arguments(f *syntax.Finder, i int) []syntax.Expr {
	if f.Is(i+1, "(") && f.Adjacent(i+1) {
		return f.Args(i + 1)
	}
	e := syntax.Expr{From: i + 1, To: end(f.Tree, i+1)}
	for at := e.From; at < e.To; at = f.Group(at) {
		if f.Is(at, "do") || f.Is(at, "{") && f.Is(at+1, "|") {
			e.To = at
		}
	}
	return f.Split(e, ",")
}

// assertion notes an assertion of minitest or test-unit.
func assertion(f *syntax.Finder, i int) {
	args := arguments(f, i)
	var altered []syntax.Edit
	negated := renamed(f, i)
	switch called := f.Word(i); {
	case len(args) == 0 && mustPattern.MatchString(called): // must_be_nil
	case len(args) == 0:
		return
	case f.Is(i, "assert", "assert_true", "refute", "assert_not", "assert_false"):
		altered = f.Decided(args[0], called == "assert" || called == "assert_true")
		negated = f.Wrap(args[0], "!(", ")")
	case f.Is(i, "assert_equal", "assert_in_delta", "assert_in_epsilon", "assert_same"):
		altered, negated = f.First(args[:min(2, len(args))], syntax.Other), f.Wrap(args[0], anotherValue+"(", ")")
	case f.Is(i, "assert_raises", "assert_raise", "must_raise"):
		for _, class := range args {
			altered = append(altered, noError(f, class)...)
		}
	case strings.HasPrefix(called, "must_"):
		altered = f.Altered(args[0], syntax.Other)
	case called == "assert_includes" && len(args) > 1:
		altered = f.Altered(args[1], syntax.Other)
	}
	note(f, i, altered, negated).Guard = f.Is(i, "refute_nil", "assert_not_nil")
}

// noError is a class in the place of one of errors, which nothing raises.
func noError(f *syntax.Finder, e syntax.Expr) []syntax.Edit {
	if class(f.Tree, e.From).Empty() {
		return nil
	}
	return f.Replace(e, "Class.new(StandardError)")
}

// renamed turns an assertion into its contrary.
func renamed(f *syntax.Finder, i int) []syntax.Edit {
	for _, pair := range [][2]string{{"assert_not_", "assert_"}, {"refute_", "assert_"}, {"assert_", "refute_"}, {"must_", "wont_"}, {"wont_", "must_"}} {
		if rest, ok := strings.CutPrefix(f.Word(i), pair[0]); ok && !slices.Contains([]string{"silent", "output", "throws", "raise", "raises", "mock"}, rest) {
			return f.Replace(syntax.Expr{From: i, To: i + 1}, pair[1]+rest)
		}
	}
	return nil
}

// matcher notes an expectation of RSpec: what is behind to, not_to or should.
func matcher(f *syntax.Finder, i int) {
	to := map[string]string{"to": "not_to", "not_to": "to", "to_not": "to", "should": "should_not", "should_not": "should"}
	rest := syntax.Expr{From: i + 1, To: end(f.Tree, i)}
	if f.Is(rest.From, "(") && f.Adjacent(rest.From) {
		rest = f.Inside(rest.From)
	}
	var altered, negated []syntax.Edit
	if behind(f, rest, "and", "or") < 0 {
		negated = f.Replace(syntax.Expr{From: i, To: i + 1}, to[f.Word(i)])
	}
	if f.Is(i, "to", "should") {
		altered = matched(f, rest)
	}
	at := behind(f, rest, qualifiers()...)
	call := altered == nil && at < 0 && ownMatcherPattern.MatchString(f.Word(rest.From)) ||
		altered != nil && at >= 0 && !known(f, rest) && !qualifiedPattern.MatchString(f.Word(rest.From))
	if call { // what is expected may be among its arguments, or those of what qualifies it
		altered = append(f.First(arguments(f, rest.From), syntax.Other), altered...)
	}
	note(f, i, altered, negated).Call = call && altered != nil
}

// ownMatcherPattern is a matcher that is not RSpec's, as far as can be seen: what is
// expected is among its arguments.
var ownMatcherPattern = lazyregexp.New(`^(?:be_|have_|match_|equal_|eq_)\w+$`)

// qualifiedPattern is a matcher of RSpec's that says what is expected in a qualifier.
var qualifiedPattern = lazyregexp.New(`^(?:be_within|change|(?:have_)?received?|receive_\w+|have_enqueued_\w+)$`)

// qualifiers are the methods of a matcher that are called with what is expected.
func qualifiers() []string { return strings.Fields("of by by_at_least by_at_most with to") }

// behind is the place of one of some methods in a chain of calls; -1 if there is none.
func behind(f *syntax.Finder, e syntax.Expr, names ...string) int {
	for i := e.From; i < e.To; i = f.Group(i) {
		if f.Is(i, ".") && f.Is(i+1, names...) {
			return i + 1
		}
	}
	return -1
}

// known reports whether a matcher is one of RSpec's that has what is expected among its own
// arguments.
func known(f *syntax.Finder, e syntax.Expr) bool {
	return f.Is(e.From, strings.Fields(`eq eql equal be include start_with end_with match_array contain_exactly match have_attributes output have_key have_value
		be_between cover raise_error`)...)
}

// matched alters what a matcher expects.
func matched(f *syntax.Finder, e syntax.Expr) []syntax.Edit {
	at, operator := behind(f, e, qualifiers()...), e.From
	if f.Is(operator, "be") {
		operator++ // which may stand behind should by itself
	}
	switch {
	case f.Is(e.From, "raise_error"):
		from := e.From + 1
		if f.Is(from, "(") {
			from++
		}
		return noError(f, class(f.Tree, from))
	case at >= 0 && !known(f, e):
		return f.First(arguments(f, at), syntax.Other)
	case f.Is(operator, "<", "<=", ">", ">=", "=="):
		to := map[byte]syntax.Way{'<': syntax.Down, '>': syntax.Up, '=': syntax.Other}[f.Word(operator)[0]]
		return f.Altered(syntax.Expr{From: operator + 1, To: min(e.To, end(f.Tree, operator+1))}, to)
	case known(f, e):
		return f.First(arguments(f, e.From), syntax.Other)
	}
	return nil
}
