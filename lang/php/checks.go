package php

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
)

func judges(t *syntax.Tree, i int) bool { return asserts(t, i) || announces(t, i) }

// asserts reports whether token i names an assertion that is called.
func asserts(t *syntax.Tree, i int) bool {
	name := t.Word(i)
	if len(name) < len("assertX") || !strings.HasPrefix(name, "assert") || name[len("assert")] < 'A' || name[len("assert")] > 'Z' || !t.Is(i+1, "(") {
		return false
	}
	switch on := t.Word(i - 2); t.Word(i - 1) {
	case "->":
		return on == "$this"
	case "::":
		return slices.Contains([]string{"self", "static", "parent"}, on) || strings.HasSuffix(on, "Assert")
	case "function", "?->", "&":
		return false
	}
	return true
}

// announces reports whether token i names what announces an error or an output.
func announces(t *syntax.Tree, i int) bool {
	return len(t.Word(i)) > len("expect") && strings.HasPrefix(t.Word(i), "expect") && t.Is(i-1, "->") && t.Is(i-2, "$this") && t.Is(i+1, "(")
}

// failing knows what fails a test, whatever happens.
func failing(t *syntax.Tree, i int) bool {
	return t.Is(i, "fail") && t.Is(i+1, "(") && t.Is(i-1, "->", "::")
}

// visit notes the check that begins at token i.
func visit(f *syntax.Finder, i int) int {
	switch {
	case !f.Named(i) || !f.Is(i+1, "("):
	case f.Is(i, "if", "elseif"):
		f.Branch(i)
	case asserts(f.Tree, i):
		assertion(f, i)
	case announces(f.Tree, i):
		expectation(f, i)
	case f.Is(i-1, "->") && f.Is(i, "expects", "with", "withConsecutive"):
		mock(f, i)
	}
	return i
}

// call is a call with what it is called on.
func call(f *syntax.Finder, i int) syntax.Expr {
	from := i
	if f.Is(i-1, "->", "::") {
		from = i - 2
	}
	return syntax.Expr{From: from, To: f.Group(i + 1)}
}

// assertion notes an assertion of PHPUnit, or one of the file's own.
func assertion(f *syntax.Finder, i int) {
	name, args := f.Word(i), f.Args(i+1)
	var altered, negated []syntax.Edit
	opposite := opposites()[name]
	switch at := (syntax.Expr{From: i, To: i + 1}); {
	case opposite == "":
	case f.Is(i-1, "->", "::"):
		negated = f.Replace(at, opposite)
	default: // one that is imported as a function has siblings that are not
		negated = f.Replace(at, `\PHPUnit\Framework\Assert::`+opposite)
	}
	switch {
	case opposite == "" && f.Defined(name):
		f.Helper(call(f, i), args, nil)
		return
	case strings.Contains(name, "Not") || len(args) == 0:
	case name == "assertMatchesRegularExpression":
		altered = f.Replace(args[0], "'/(?!)/'")
	case name == "assertTrue":
		altered = f.Wanted(syntax.Holds, args)
	case strings.HasPrefix(name, "assertGreater"):
		altered = f.First(args[:1], syntax.Up)
	case strings.HasPrefix(name, "assertLess"):
		altered = f.First(args[:1], syntax.Down)
	case name == "assertThat" && len(args) > 1:
		altered = constraint(f, args[1])
		negated = f.Wrap(args[1], `\PHPUnit\Framework\Assert::logicalNot(`, ")")
	case len(args) > 1 && name != "assertInstanceOf":
		altered = f.First(args[:2], syntax.Other)
	}
	f.Note(call(f, i), altered, negated)
}

// constraint alters what a constraint expects, as identicalTo(5).
func constraint(f *syntax.Finder, e syntax.Expr) []syntax.Edit {
	open := f.Opening(e.To - 1)
	name := f.Word(open - 1)
	if open <= e.From || strings.Contains(name, "logical") {
		return nil
	}
	to := syntax.Other
	switch {
	case strings.Contains(name, "greaterThan"):
		to = syntax.Up
	case strings.Contains(name, "lessThan"):
		to = syntax.Down
	}
	args := f.Args(open)
	return f.First(args[:min(1, len(args))], to)
}

// expectation notes an error or an output that is announced.
func expectation(f *syntax.Finder, i int) {
	args := f.Args(i + 1)
	if len(args) == 0 {
		return
	}
	edits := f.First(args[:1], syntax.Other)
	switch {
	case f.Is(i, "expectExceptionMessageMatches"):
		edits = f.Replace(args[0], "'/(?!)/'")
	case f.Is(args[0].To-1, "class"):
		edits = f.Replace(args[0], `\ArithmeticError::class`)
	}
	f.Note(call(f, i), edits, nil)
}

// mock notes how often a mock is to be called, and with what.
func mock(f *syntax.Finder, i int) {
	args, at := f.Args(i+1), syntax.Expr{From: i - 1, To: f.Group(i + 1)}
	if !f.Is(i, "expects") {
		f.Note(at, f.First(args, syntax.Other), nil)
		return
	}
	if len(args) == 0 || f.Opening(args[0].To-1) <= args[0].From {
		return
	}
	switch open := f.Opening(args[0].To - 1); f.Word(open - 1) {
	case "once", "atLeastOnce":
		f.Note(at, f.Replace(args[0], "$this->exactly(41)"), nil)
	case "exactly":
		f.Note(at, f.First(f.Args(open), syntax.Other), nil)
	case "never":
		f.Note(at, nil, f.Replace(args[0], "$this->once()"))
	}
}

// opposites are the assertions that say the contrary of each other.
func opposites() map[string]string {
	var pairs strings.Builder
	pairs.WriteString(`assertTrue assertFalse assertGreaterThan assertLessThanOrEqual assertLessThan assertGreaterThanOrEqual
		assertStringStartsWith assertStringStartsNotWith assertStringEndsWith assertStringEndsNotWith
		assertMatchesRegularExpression assertDoesNotMatchRegularExpression assertFileExists assertFileDoesNotExist
		assertDirectoryExists assertDirectoryDoesNotExist assertArrayHasKey assertArrayNotHasKey
		assertStringContainsString assertStringNotContainsString assertObjectHasProperty assertObjectNotHasProperty
		assertStringContainsStringIgnoringCase assertStringNotContainsStringIgnoringCase assertNan assertFinite
		assertJsonStringEqualsJsonString assertJsonStringNotEqualsJsonString`)
	for word := range strings.FieldsSeq("Same Equals EqualsCanonicalizing EqualsIgnoringCase EqualsWithDelta Null Empty Count SameSize Contains ContainsEquals " +
		"ContainsOnly InstanceOf IsArray IsBool IsFloat IsInt IsNumeric IsObject IsResource IsString IsScalar IsCallable IsIterable IsReadable IsWritable") {
		not := "assertNot" + word
		if kind, is := strings.CutPrefix(word, "Is"); is {
			not = "assertIsNot" + kind
		}
		pairs.WriteString(" assert" + word + " " + not)
	}
	out := syntax.Contraries(pairs.String())
	out["assertIsList"] = "assertIsNotArray"
	return out
}
