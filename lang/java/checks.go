package java

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// wants is what the assertions of JUnit and TestNG want of their first arguments. Those
// of AssertJ, Hamcrest, Truth and Mockito are read as they are chained.
func wants(name string) (want syntax.Want, arguments int, known bool) {
	switch name {
	case "assertTrue":
		return syntax.Holds, 1, true
	case "assertFalse":
		return syntax.Contradicted, 1, true
	case "assertEquals", "assertArrayEquals", "assertSame", "assertIterableEquals", "assertLinesMatch", "assertInstanceOf":
		return syntax.Value, 2, true
	case "assertDoesNotThrow", "assertTimeout", "assertTimeoutPreemptively", "assertNull", "assertNotNull", "assertNotEquals", "assertNotSame",
		"assertThrows", "assertThrowsExactly", "assertAll", "assertNotInstanceOf":
		return syntax.Nothing, 0, true
	}
	return syntax.Nothing, 0, false
}

// expectedThrow notes the exception that @Test(expected = …) names.
func expectedThrow(f *syntax.Finder, fn syntax.Function) bool {
	for i := fn.Head.From; i < fn.Head.To; i++ {
		if f.Is(i, "(") && f.Is(i+1, "expected") && f.Is(i+2, "=") {
			at := syntax.Expr{From: i, To: f.Group(i)}
			f.Note(at, nil, f.Replace(at, ""))
		}
	}
	return true
}

// visit notes the check that begins at token i.
func visit(f *syntax.Finder, i int) int {
	switch w := f.Word(i); {
	case w == "if" && f.Is(i+1, "("):
		f.Branch(i)
	case w == "try" && f.Is(i+1, "{"):
		attempt(f, i, `throw new AssertionError("tdd")`)
	case w == "assert" && (!f.Is(i+1, "(") || statement(f, i)):
		keyword(f, i)
	case f.Named(i) && f.Is(i+1, "("):
		return call(f, i)
	}
	return i + 1
}

// statement reports whether a statement begins at token i.
func statement(f *syntax.Finder, i int) bool { return f.Is(i-1, ";", "{", "}", ")") }

// keyword notes an assertion of the language itself.
func keyword(f *syntax.Finder, i int) {
	end := f.End(i + 1)
	if message := f.Find(syntax.Expr{From: i + 1, To: end}, ":"); message > 0 {
		end = message
	}
	if cond := (syntax.Expr{From: i + 1, To: end}); !cond.Empty() {
		f.Note(cond, f.Decided(cond, true), f.Wrap(cond, "!(", ")"))
	}
}

// attempt notes a try that must not come to its end.
func attempt(f *syntax.Finder, i int, throw string) {
	end := f.Group(i + 1)
	if !syntax.FailingBy("if try", failing)(f.Tree, syntax.Expr{From: i + 2, To: end}) {
		return
	}
	var negated []syntax.Edit
	for f.Is(end, "catch") && f.Is(end+1, "(") {
		open := f.Group(end + 1)
		negated = append(negated, f.Insert(open, ` if ("".isEmpty()) `+throw+";")...)
		end = f.Group(open)
	}
	f.Note(syntax.Expr{From: i, To: i + 1}, nil, negated)
}

// wrapped makes a statement, or all that a lambda does, fail the test if it does not fail by
// itself. It needs no import, and stands for the contrary of any assertion.
func wrapped(f *syntax.Finder, i int) []syntax.Edit {
	start := i
	for f.Is(start-1, ".") && f.Named(start-2) {
		start -= 2
	}
	name := fmt.Sprintf("tdd%d", f.Span(syntax.Expr{From: i, To: i + 1}).Start)
	before, behind := "boolean "+name+" = false; try { ",
		" "+name+" = true; } catch (AssertionError "+name+"e) { } if ("+name+") throw new AssertionError(\"tdd\");"
	if f.Is(start-1, "->") {
		return f.Wrap(syntax.Expr{From: start, To: f.End(start)}, "{ "+before, ";"+behind+" }")
	}
	end := f.Find(syntax.Expr{From: i, To: f.Len()}, ";")
	if end < 0 || !statement(f, start) || f.Is(start-1, ")") {
		return nil
	}
	return f.Wrap(syntax.Expr{From: start, To: end + 1}, before, behind)
}

// call notes what a call of a method checks, and returns where to go on.
func call(f *syntax.Finder, i int) int {
	name, args := f.Word(i), f.Args(i+1)
	at := syntax.Expr{From: i, To: f.Group(i + 1)}
	want, n, known := wants(name)
	if name == "isTrue" && f.Is(i-2, "Assert") {
		want, n, known = syntax.Holds, 1, true
	}
	switch {
	case name == "fail" || len(args) == 0 && !f.Helpers[name]:
	case known:
		f.Note(at, f.Wanted(want, values(f, args, n)), wrapped(f, i)).Guard = output.HasAnyPrefix(name, "assertDoesNot", "assertTimeout")
	case name == "then", strings.HasPrefix(name, "assertThat"):
		return chained(f, i, args)
	case name == "verify" && !f.Helpers[name]:
		return chained(f, i, args[:min(1, len(args))])
	case f.Helpers[name] || asserts(name) && len(args) > 1:
		f.Helper(at, args, wrapped(f, i))
	}
	return i + 1
}

// values are the first arguments of an assertion, without the message that stands before
// them in JUnit 4.
func values(f *syntax.Finder, args []syntax.Expr, n int) []syntax.Expr {
	if len(args) > n && f.Kind(args[0].From) == syntax.Text && !strings.Contains(f.Text, "org.junit.jupiter") && !strings.Contains(f.Text, "org.testng") {
		args = args[1:]
	}
	return args[:min(n, len(args))]
}

// chained notes an assertion whose expectation is chained to it, or is a matcher.
func chained(f *syntax.Finder, i int, args []syntax.Expr) int {
	end, altered := fluent(f, i, args)
	f.Note(syntax.Expr{From: i, To: end}, altered, wrapped(f, i))
	return end
}

// fluent alters what such an assertion expects, and tells where it ends.
func fluent(f *syntax.Finder, i int, args []syntax.Expr) (end int, altered []syntax.Edit) {
	end = f.Group(called(f.Tree, i))
	if len(args) > 1 {
		altered = matcher(f, args[len(args)-1])
	}
	for f.Is(end, ".") && f.Named(end+1) {
		open := called(f.Tree, end+1)
		if f.Is(open, "(") && expects(strings.Trim(f.Word(end+1), "`")) {
			altered = append(altered, f.Last(f.Args(open))...)
		}
		if end += 2; f.Is(open, "(", "{") { // in Kotlin, it may be a property
			end = f.Group(open)
		}
	}
	return end, altered
}

// matcher alters what a matcher expects. One that says "not", or that gives a bound,
// has nothing that could be altered.
func matcher(f *syntax.Finder, e syntax.Expr) []syntax.Edit {
	if e.Where(func(i int) bool { return f.Is(i+1, "(") && !expects(f.Word(i)) }) >= 0 {
		return nil
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
