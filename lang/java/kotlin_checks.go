package java

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// kotlinWants is [wants] for Kotlin's own assertions, beside Java's.
func kotlinWants(name string) (want syntax.Want, arguments int, known bool) {
	switch name {
	case "check", "require", "assert":
		return syntax.Holds, 1, true
	case "expect":
		return syntax.Value, 1, true
	case "assertContentEquals", "assertContains":
		return syntax.Value, 2, true
	case "assertFails", "assertFailsWith", "assertIs", "assertIsNot", "assertNotNull", "assertNotContains", "shouldThrow", "shouldThrowAny", "shouldThrowExactly":
		return syntax.Nothing, 0, true
	}
	return wants(name)
}

// shouldPattern matches what Kotest puts between a value and what it should be.
var shouldPattern = lazyregexp.New(`^should(?:Not)?[A-Z]\w*$`)

// infix reports whether token i says what the value before it should be.
func infix(t *syntax.Tree, i int) bool {
	return shouldPattern.MatchString(t.Word(i)) && (t.Is(i-1, ".") || !t.Is(i+1, "(", "{", "<"))
}

func kotlinJudges(t *syntax.Tree, i int) bool {
	return infix(t, i) || t.Is(called(t, i), "(", "{") && (asserts(t.Word(i)) || strings.HasPrefix(t.Word(i), "shouldThrow"))
}

// called is the place behind the types that a call says, as in f<Int>(3).
func called(t *syntax.Tree, i int) int {
	if !t.Is(i+1, "<") {
		return i + 1
	}
	if at := t.Types(i+1, t.Len()); at > i+2 {
		return at
	}
	return -1
}

// kotlinVisit notes the check that begins at token i.
func kotlinVisit(f *syntax.Finder, i int) int {
	switch {
	case f.Is(i, "if") && f.Is(i+1, "("):
		f.Branch(i)
	case f.Is(i, "try") && f.Is(i+1, "{"):
		attempt(f, i, `throw AssertionError("tdd")`)
	case f.Named(i) && infix(f.Tree, i): // Kotest: f() shouldBe 3
		e := syntax.Expr{From: i + 1, To: f.End(i + 1)}
		altered := f.Altered(e, syntax.Other)
		if f.Is(i+1, "(") {
			altered = f.Last(f.Args(i + 1))
		}
		if !expects(f.Word(i)) {
			altered = nil
		}
		f.Note(syntax.Expr{From: i, To: e.To}, altered, contrary(f, i, e.To))
	case f.Named(i) && f.Is(called(f.Tree, i), "(", "{"):
		return kotlinCall(f, i)
	}
	return i + 1
}

// kotlinCall notes what a call checks, and returns where to go on.
func kotlinCall(f *syntax.Finder, i int) int {
	name, open := f.Word(i), called(f.Tree, i)
	end := f.Group(open)
	args := kotlinArguments(f, open)
	if f.Is(open, "(") && f.Is(end, "{") && !f.Broken(end) {
		end = f.Group(end)
	}
	at := syntax.Expr{From: i, To: end}
	want, n, known := kotlinWants(name)
	switch {
	case name == "fail" || f.Is(i-1, "fun") || f.Defined(name) && !f.Helpers[name]:
	case known && f.Is(i-1, ".") && !f.Is(i-2, "Assertions", "Assert"): // somebody else's
	case known:
		args = args[:min(n, len(args))]
		negated := contrary(f, i, end)
		if want != syntax.Value && f.Is(open, "(") && len(args) > 0 {
			negated = f.Wrap(args[0], "!(", ")")
		}
		f.Note(at, f.Wanted(want, args), negated)
	case name == "then", name == "verify" && f.Is(open, "("), strings.HasPrefix(name, "assertThat"), asserts(name) && f.Is(open, "{"):
		if name == "verify" {
			args = args[:min(1, len(args))]
		}
		to, altered := fluent(f, i, args)
		f.Note(syntax.Expr{From: i, To: to}, altered, contrary(f, i, to))
	case f.Helpers[name] || asserts(name) && len(args) > 1:
		f.Helper(at, args, contrary(f, i, end))
	}
	return i + 1
}

// kotlinArguments are the arguments of a call in the order of an assertion, whether or not
// they are named, or the one expression of a lambda.
func kotlinArguments(f *syntax.Finder, open int) []syntax.Expr {
	if f.Is(open, "{") {
		if in := f.Inside(open); f.End(in.From) == in.To {
			return []syntax.Expr{in}
		}
		return nil
	}
	var out []syntax.Expr
	for _, arg := range f.Args(open) {
		switch value := (syntax.Expr{From: arg.From + 2, To: arg.To}); {
		case !f.Is(arg.From+1, "="):
			out = append(out, arg)
		case f.Is(arg.From, "expected"):
			out = slices.Insert(out, 0, value)
		case !f.Is(arg.From, "message"):
			out = append(out, value)
		}
	}
	return out
}

// subject is where what is asked of token i begins: the value before an infix call, or
// what has the function.
func subject(t *syntax.Tree, i int) int {
	start := i
	for infix(t, i) && start > 0 && !t.Is(start-1, "{", ";", "->", "=") && (!t.Broken(start) || t.Is(start, ".", "?.") || t.Continues(start-1)) {
		start = t.Opening(start - 1)
	}
	for t.Is(start-1, ".") && t.Named(start-2) {
		start -= 2
	}
	return start
}

// contrary makes an assertion fail the test if it does not fail by itself. One that is a
// statement is turned round; one that is a value must only not come to its end.
func contrary(f *syntax.Finder, i, end int) []syntax.Edit {
	start := subject(f.Tree, i)
	for f.Is(end, ".", "?.") && !f.Is(i, "check", "require") { // what is done with what it gives
		end = f.Group(end + 2)
	}
	switch {
	case f.Broken(start) && !f.Continues(start-1), f.Is(start-1, "{", "}", ";", "->"), f.Is(start-1, "=") && f.Is(kotlinSignature(f.Tree, start-1), ")"):
		name := fmt.Sprintf("tdd%d", f.Span(syntax.Expr{From: i, To: i + 1}).Start)
		return f.Wrap(syntax.Expr{From: start, To: end}, "run { var "+name+" = false; try { ",
			"; "+name+" = true } catch ("+name+"e: AssertionError) { }; if ("+name+") throw AssertionError(\"tdd\") }")
	case f.Is(start-1, "=", "return"):
		return f.Insert(end-1, ` .also { if ("".isEmpty()) throw AssertionError("tdd") }`)
	}
	return nil
}

var kotlinValuePattern = lazyregexp.New(`^(?:[-\d'"{]|true\b|false\b|null\b|(?:\w+)?(?:listOf|setOf|mapOf|[aA]rrayOf)\b)`)

// kotlinAssertions is [assertions] for Kotlin.
func kotlinAssertions(test string) []string {
	t := kotlinPage().Parse(test)
	var out []string
	for i := 0; i < t.Len(); {
		end := kotlinExpectation(t, i)
		if end > i {
			out = append(out, t.Folded(syntax.Expr{From: subject(t, i), To: end}))
		}
		i = max(i+1, end)
	}
	return out
}

var kotlinMarkPattern = lazyregexp.New(`^(?:\w+Source|Disabled\w*|Enabled\w*|Ignore|Timeout|RepeatedTest|Parameters)$`)

// kotlinExpectation is the place behind the expectation that begins at token i; i if none
// does.
func kotlinExpectation(t *syntax.Tree, i int) int {
	open := called(t, i)
	call := t.Named(i) && t.Is(open, "(", "{") && !t.Is(i-1, "fun")
	switch {
	case t.Is(i, "@") && kotlinMarkPattern.MatchString(t.Word(i+1)):
		return syntax.Annotation(t, i)
	case call && (asserts(t.Word(i)) || strings.HasPrefix(t.Word(i), "assume") || t.Is(i, "then", "require") || strings.HasPrefix(t.Word(i), "shouldThrow")),
		call && t.Is(i, "arguments"), t.Is(i, "Arguments") && t.Is(i+2, "of", "arguments"):
		return t.End(i)
	case t.Named(i) && infix(t, i):
		return t.End(i + 1)
	case t.Is(i-1, "val", "var"):
		if at := t.Find(syntax.Expr{From: i, To: t.End(i)}, "="); at > 0 && kotlinValuePattern.MatchString(t.Text[t.Span(syntax.Expr{From: at + 1, To: at + 2}).Start:]) {
			return t.End(at + 1)
		}
	}
	return i
}
