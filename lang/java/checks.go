package java

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/csyntax"
)

// checks finds what decides whether the tests of a file pass. Those of JUnit,
// AssertJ, Hamcrest, Truth, TestNG and Mockito are known by their names.
func checks(content string, _ gates.Kind) []testrun.Check {
	f := &checkFinder{
		Code: csyntax.Parse(content), tests: declared(content), helpers: map[string]bool{},
		messageFirst: !strings.Contains(content, "org.junit.jupiter") && !strings.Contains(content, "org.testng"),
	}
	methods := f.methods()
	f.know(methods)
	for _, m := range methods {
		f.method(m)
	}
	return f.out
}

// method is a method with a body.
type method struct {
	name  string
	open  csyntax.Expr // its annotations and its signature
	body  csyntax.Expr // with its braces
	start int
}

// checkFinder collects the checks of a file.
type checkFinder struct {
	*csyntax.Code
	tests        []string
	helpers      map[string]bool
	messageFirst bool // a message is the first argument of an assertion, as in JUnit 4
	out          []testrun.Check

	// These are of the method under way.
	test, unit string
}

// methods lists the methods, but for those within others.
func (f *checkFinder) methods() []method {
	var out []method
	from := 0
	for i := 0; i < f.Len(); {
		end := f.bodyOf(i)
		switch {
		case end > i:
			open := f.Group(i + 1)
			for !f.Is(open, "{") {
				open++
			}
			out = append(out, method{name: f.Word(i), open: csyntax.Expr{From: from, To: i}, body: csyntax.Expr{From: open, To: end}, start: i})
			i, from = end, end
			continue
		case f.Is(i, ";"), f.Is(i, "{"), f.Is(i, "}"):
			from = i + 1
		}
		i++
	}
	return out
}

// bodyOf is the end of the method whose name is token i; i where it is none.
func (f *checkFinder) bodyOf(i int) int {
	typed := f.Named(i-1) || f.Is(i-1, ">") || f.Is(i-1, "]")
	if !f.Named(i) || !f.Is(i+1, "(") || !typed || slices.Contains([]string{"new", "return", "else", "throw"}, f.Word(i-1)) {
		return i
	}
	at := f.Group(i + 1)
	for f.Named(at) || f.Is(at, ",") || f.Is(at, ".") || f.Is(at, ":") || f.Is(at, "@") {
		at++ // throws, or the type of a method of Kotlin
	}
	if !f.Is(at, "{") {
		return i
	}
	return f.Group(at)
}

// know notes which methods check something, themselves or by another one.
func (f *checkFinder) know(methods []method) {
	for {
		before := len(f.helpers)
		for _, m := range methods {
			if !slices.Contains(f.tests, m.name) && f.judges(m.body) {
				f.helpers[m.name] = true
			}
		}
		if len(f.helpers) == before {
			return
		}
	}
}

// judges reports whether a part of a source may fail a test.
func (f *checkFinder) judges(e csyntax.Expr) bool {
	for i := e.From; i < e.To; i++ {
		if f.Is(i+1, "(") && (asserts(f.Word(i)) || f.helpers[f.Word(i)]) {
			return true
		}
	}
	return false
}

// asserts reports whether a method checks something, by its name.
func asserts(name string) bool {
	for _, prefix := range []string{"assert", "verify", "expect", "check", "fail"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && (rest == "" || strings.ToUpper(rest[:1]) == rest[:1]) {
			return true
		}
	}
	return false
}

// method collects the checks of a method. One that is no test is a helper.
func (f *checkFinder) method(m method) {
	f.test, f.unit = "", m.name+"@"+strconv.Itoa(m.start)
	if slices.Contains(f.tests, m.name) {
		f.test = m.name
	}
	f.Values = map[string][]csyntax.Expr{}
	f.given(csyntax.Expr{From: 0, To: f.Len()}, func(i int) bool { return f.Is(i-2, "final") || f.Is(i-3, "final") })
	f.given(m.body, func(int) bool { return true })
	f.expectedThrow(m.open)
	for i := m.body.From + 1; i < m.body.To; {
		i = max(i+1, f.visit(i))
	}
}

// given notes what names are given, once and for all, that of says count.
func (f *checkFinder) given(e csyntax.Expr, of func(int) bool) {
	for i := e.From; i < e.To; i++ {
		typed := f.Named(i-1) || f.Is(i-1, ">") || f.Is(i-1, "]")
		if !f.Named(i) || !f.Is(i+1, "=") {
			continue
		}
		end := f.Find(csyntax.Expr{From: i + 2, To: e.To}, ";")
		switch {
		case !typed || end < 0: // given anew
			f.Values[f.Word(i)] = nil
		case of(i):
			f.Values[f.Word(i)] = []csyntax.Expr{{From: i + 2, To: end}}
		}
	}
}

// expectedThrow notes the exception that @Test(expected = …) names.
func (f *checkFinder) expectedThrow(e csyntax.Expr) {
	for i := e.From; i < e.To; i++ {
		if f.Is(i, "(") && f.Is(i+1, "expected") && f.Is(i+2, "=") {
			at := csyntax.Expr{From: i, To: f.Group(i)}
			f.note(at, nil, []testrun.Edit{f.Replace(at, "")})
		}
	}
}

// note adds a check, if it can be altered or negated.
func (f *checkFinder) note(at csyntax.Expr, altered, negated []testrun.Edit) *testrun.Check {
	if len(altered)+len(negated) == 0 {
		return &testrun.Check{}
	}
	f.out = append(f.out, testrun.Check{Test: f.test, Unit: f.unit, At: f.Span(at), Altered: altered, Negated: negated})
	return &f.out[len(f.out)-1]
}

// visit finds the check that begins at a token, and returns where to go on.
func (f *checkFinder) visit(i int) int {
	switch w := f.Word(i); {
	case w == "if" && f.Is(i+1, "("):
		f.branch(i)
	case w == "try" && f.Is(i+1, "{"):
		f.attempt(i)
	case w == "assert" && !f.Is(i+1, "("), w == "assert" && f.statement(i):
		f.keyword(i)
	case f.Named(i) && f.Is(i+1, "("):
		return f.call(i)
	}
	return i + 1
}

// statement reports whether a statement begins at token i.
func (f *checkFinder) statement(i int) bool {
	return f.Is(i-1, ";") || f.Is(i-1, "{") || f.Is(i-1, "}") || f.Is(i-1, ")")
}

// keyword notes an assertion of the language itself.
func (f *checkFinder) keyword(i int) {
	end := f.Find(csyntax.Expr{From: i + 1, To: f.Len()}, ";")
	if message := f.Find(csyntax.Expr{From: i + 1, To: end}, ":"); message > 0 {
		end = message
	}
	if end > i+1 {
		cond := csyntax.Expr{From: i + 1, To: end}
		f.note(cond, f.Decided(cond, true), f.Wrap(cond, "!(", ")"))
	}
}

// branch notes an if that fails the test.
func (f *checkFinder) branch(i int) {
	cond, at := f.Inside(i+1), f.Group(i+1)
	end := f.Group(at)
	if !f.Is(at, "{") {
		end = f.Find(csyntax.Expr{From: at, To: f.Len()}, ";")
	}
	if cond.To > cond.From && f.fails(csyntax.Expr{From: at, To: end}) {
		f.note(cond, f.Decided(cond, false), f.Wrap(cond, "!(", ")"))
	}
}

// fails reports whether a part of a test fails it, whatever happens.
func (f *checkFinder) fails(e csyntax.Expr) bool {
	for i := e.From; i < e.To; i++ {
		if f.Is(i, "if") || f.Is(i, "try") {
			return false
		}
		if f.Is(i, "fail") && f.Is(i+1, "(") || f.Is(i, "new") && strings.HasSuffix(f.Word(i+1), "AssertionError") {
			return true
		}
	}
	return false
}

// attempt notes a try that must not come to its end.
func (f *checkFinder) attempt(i int) {
	end := f.Group(i + 1)
	if !f.fails(csyntax.Expr{From: i + 2, To: end}) {
		return
	}
	var negated []testrun.Edit
	for f.Is(end, "catch") && f.Is(end+1, "(") {
		open := f.Group(end + 1)
		negated = append(negated, f.Wrap(csyntax.Expr{From: open, To: open + 1}, "", ` if ("".isEmpty()) throw new AssertionError("tdd");`)...)
		end = f.Group(open)
	}
	f.note(csyntax.Expr{From: i, To: i + 1}, nil, negated)
}

// wrapped makes a statement fail the test if it does not fail by itself. It needs no
// import, and stands for the contrary of any assertion.
func (f *checkFinder) wrapped(i int) []testrun.Edit {
	start := i
	for f.Is(start-1, ".") && f.Named(start-2) {
		start -= 2
	}
	end := f.Find(csyntax.Expr{From: i, To: f.Len()}, ";")
	if end < 0 || !f.statement(start) || f.Is(start-1, ")") {
		return nil
	}
	name := fmt.Sprintf("tdd%d", f.Span(csyntax.Expr{From: i, To: i + 1}).Start)
	return f.Wrap(csyntax.Expr{From: start, To: end + 1},
		"boolean "+name+" = false; try { ",
		" "+name+" = true; } catch (AssertionError "+name+"e) { } if ("+name+") throw new AssertionError(\"tdd\");")
}
