package java

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// page is the syntax of Java, as far as tests and what they check are concerned.
func page() *syntax.Page {
	p := syntax.CFamily()
	p.Lexis.Forms = slices.Insert(p.Lexis.Forms, 0, syntax.Form{Begins: `"""`})
	p.Declares = typed
	p.Values.Core, p.Values.Makes = syntax.Wrapping{Cast: castPattern.MatchString}.Core, syntax.MadeBy(madePattern, constructedPattern)
	p.Values.Asks = strings.Fields("equals contains startsWith endsWith equalsIgnoreCase matches containsKey containsValue")
	p.Checking = syntax.Checking{Functions: methods, Judges: judges, Begin: expectedThrow, Visit: visit, Fails: syntax.FailingBy("if try", failing)}
	p.Expects.Pattern = expectationPattern
	p.Changing.Inert = syntax.InertC(strings.Fields("println print printf debug info warn error trace fine requireNonNull")...)
	p.Changing.Type = syntax.ByBodies
	p.Changing.Ties = map[string]string{
		"java.util.Collections.reverse($0); ": "sort",
		".collect(java.util.stream.Collectors.collectingAndThen(java.util.stream.Collectors.toList(), all -> { java.util.Collections.reverse(all); return all.stream(); }))": "sorted",
	}
	p.Changing.Errors, p.Changing.Handled = [2]string{"IllegalStateException", "UnsupportedOperationException"}, handled()
	return &p
}

// handled are classes of errors, each with some that extend it.
func handled() map[string]string {
	return map[string]string{"Throwable": "RuntimeException", "Exception": "RuntimeException", "RuntimeException": "IllegalArgumentException IllegalStateException"}
}

// typed reports whether a type stands before token i.
func typed(t *syntax.Tree, i int) bool {
	return t.Named(i-1) && !t.Is(i-1, "new", "return", "else", "throw") || t.Is(i-1, ">", "]")
}

var castPattern = lazyregexp.New(`^[\w.<>\[\] ]+$`)

// What makes a value: madePattern matches what only puts values together, or gives one another
// type, constructedPattern any constructor.
var (
	madePattern        = lazyregexp.New(`\{$|^(?:java\.util\.)?(?:(?:List|Set|Map|Optional|Arrays|Stream|Collections|Integer|Long|Double|Float|Short|Byte|Character|String|Boolean|BigDecimal|BigInteger|Duration|ImmutableList|ImmutableSet|ImmutableMap|Lists|Sets)\.(?:of|asList|valueOf|singletonList|singleton|ofNullable|entry|ofMillis|ofSeconds|ofEntries|newArrayList|newHashSet|copyOf)|entry)\s*.$`)
	constructedPattern = lazyregexp.New(`(?s)(?:^new\b.*[^>\s]|(?:^|[^\p{L}\w$])\p{Lu}[\p{L}\w$]*)\s*\($`)
)

// methods lists the methods of a file.
func methods(t *syntax.Tree) []syntax.Function {
	out := syntax.Braced(t, func(i int) bool { return typed(t, i) }, ",", ".", "@")
	for k := range out {
		if fn := &out[k]; isTest(t, fn.Head) || strings.HasPrefix(fn.Name, "test") && t.Is(fn.Head.To-1, "void") && t.Is(fn.Head.From, "public") {
			fn.Test = fn.Name
		}
	}
	return out
}

// isTest reports whether one of the annotations before a method makes it a test.
func isTest(t *syntax.Tree, head syntax.Expr) bool {
	for i := head.From; i < head.To; i = t.Group(i) {
		if !t.Is(i, "@") {
			continue
		}
		for i++; t.Is(i+1, "."); i += 2 {
		}
		if t.Is(i, strings.Fields("Test ParameterizedTest RepeatedTest TestFactory TestTemplate Theory Property")...) {
			return true
		}
	}
	return false
}

var assertsPattern = lazyregexp.New(`^(?:assert|verify|expect|check|fail)(?:[^a-z]|$)`)

// asserts reports whether a method checks something, by its name.
func asserts(name string) bool { return assertsPattern.MatchString(name) }

func judges(t *syntax.Tree, i int) bool { return t.Is(i+1, "(") && asserts(t.Word(i)) }

// failing knows what fails a test, whatever happens.
func failing(t *syntax.Tree, i int) bool {
	return t.Is(i+1, "(") && (t.Is(i, "fail") || strings.HasSuffix(t.Word(i), "AssertionError"))
}

var expectationPattern = lazyregexp.New(`\b(?:assert\w*|fail|expect\w*|verify\w*|assume\w*|then\w*)\s*\(` +
	`|@(?:\w+Source|Disabled\w*|Enabled\w*|Ignore|Timeout|RepeatedTest|Parameters|Test)\s*\(|@(?:Disabled|Ignore)\b` +
	`|\b(assert\b|(?:final|var|int|long|double|float|char|byte|short|boolean|String|BigDecimal|List<\w+>|\w+\[\])\s+\w+\s*=\s*(?:[-\d'"{]|(?:true|false|null)\b|new\s+[\w<>]+\[\]|List\.of|Arrays\.asList|Map\.of|Set\.of))` +
	`|\b(?:Arguments\.(?:of|arguments)|arguments)\s*\(`)
