package java

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/csyntax"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// call notes what a call of a method checks, and returns where to go on.
func (f *checkFinder) call(i int) int {
	name, end := f.Word(i), f.Group(i+1)
	args := f.Split(f.Inside(i+1), ",")
	at := csyntax.Expr{From: i, To: end}
	switch {
	case name == "fail" || len(args) == 0 && !f.helpers[name]:
	case name == "assertTrue" || name == "assertFalse" || name == "isTrue" && f.Is(i-2, "Assert"):
		cond := f.values(args, 1)
		f.note(at, f.Decided(cond[0], csyntax.Sense(name != "assertFalse")), f.wrapped(i))
	case slices.Contains([]string{"assertEquals", "assertArrayEquals", "assertSame", "assertIterableEquals", "assertLinesMatch", "assertInstanceOf"}, name):
		f.note(at, f.One(f.values(args, 2)), f.wrapped(i))
	case slices.Contains([]string{"assertDoesNotThrow", "assertTimeout", "assertTimeoutPreemptively"}, name):
		f.note(at, nil, f.wrapped(i)).Guard = true
	case slices.Contains([]string{
		"assertNull", "assertNotNull", "assertNotEquals", "assertNotSame", "assertThrows", "assertThrowsExactly", "assertAll", "assertNotInstanceOf",
	}, name):
		f.note(at, nil, f.wrapped(i))
	case name == "assertThat" || name == "then" || strings.HasPrefix(name, "assertThat"):
		return f.fluent(i, args)
	case name == "verify" && !f.helpers[name]:
		return f.fluent(i, args[:min(1, len(args))])
	case f.helpers[name] || asserts(name) && len(args) > 1:
		f.helper(i, at, args)
	}
	return i + 1
}

// values are the arguments of an assertion without its message.
func (f *checkFinder) values(args []csyntax.Expr, n int) []csyntax.Expr {
	if len(args) > n && f.messageFirst && strings.HasPrefix(f.Word(args[0].From), `"`) {
		args = args[1:]
	}
	return args[:min(n, len(args))]
}

// fluent notes an assertion whose expectation is chained to it, or is a matcher.
func (f *checkFinder) fluent(i int, args []csyntax.Expr) int {
	end := f.Group(i + 1)
	var altered []testrun.Edit
	if len(args) > 1 {
		altered = f.matcher(args[len(args)-1])
	}
	for f.Is(end, ".") && f.Is(end+2, "(") {
		if expects(f.Word(end + 1)) {
			altered = append(altered, f.One(f.Split(f.Inside(end+2), ","))...)
		}
		end = f.Group(end + 2)
	}
	f.note(csyntax.Expr{From: i, To: end}, altered, f.wrapped(i))
	return end
}

// matcher alters what a matcher expects. One that says "not", or that gives a bound,
// has nothing that could be altered.
func (f *checkFinder) matcher(e csyntax.Expr) []testrun.Edit {
	for i := e.From; i < e.To; i++ {
		if f.Is(i+1, "(") && !expects(f.Word(i)) {
			return nil
		}
	}
	return f.Literals(e)
}

// expects reports whether the argument of a method of an assertion, or of a matcher,
// is a value that is expected: no name, no message, no bound, no tolerance, nothing
// that must not be.
func expects(name string) bool {
	lower := strings.ToLower(name)
	within := func(word string) bool { return strings.Contains(lower, word) }
	return name != "as" && !output.HasAnyPrefix(lower, "described", "because", "extracting", "using", "satisf", "filter", "return", "isafter", "isbefore") &&
		!slices.ContainsFunc([]string{"not", "never", "none", "greater", "less", "between", "close", "within", "failmessage", "errormessage", "atleast", "atmost"}, within)
}

// helper notes a call of which nobody knows which argument is what is expected: the
// last one that is written out, as a rule.
func (f *checkFinder) helper(i int, at csyntax.Expr, args []csyntax.Expr) {
	if edits := f.One(args); edits != nil {
		f.note(at, edits, nil).Call = true
		return
	}
	f.note(at, nil, f.wrapped(i)).Call = true
}
