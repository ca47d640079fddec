package java

import (
	"maps"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun"
)

// kotlin is what differs from Java in a project of the JVM if a file is Kotlin's.
func kotlin() testrun.Dialect {
	p := kotlinPage()
	return testrun.Dialect{
		Idiom:  "a test is a function with @Test in a class NameTest, in the same package below src/test/kotlin, its name in backticks; assertEquals(expected, actual), assertFailsWith<Type> { … }; all tests compile together, so one missing function keeps every test from running.",
		Stub:   `TODO("not implemented")`,
		Syntax: testrun.Syntax{Declared: p.Declared, Assertions: kotlinAssertions, Checks: p.Checks, Mutants: p.Mutants, Near: p.Near, Code: p.Plain},
	}
}

// kotlinPage is the syntax of Kotlin.
func kotlinPage() *syntax.Page {
	p := syntax.CFamily()
	p.Lexis.Literal, p.Lexis.Nested = kotlinLiteral, true
	p.Lexis.Forms = []syntax.Form{{Begins: `"""`, Raw: true, Holds: true}, {Begins: `"`, Line: true, Holds: true}, {Begins: `'`, Line: true}}
	p.Lexis.Signs = strings.Fields("=== !== ..< ?: ?. !! :: .. -> ++ -- <= >= == != && || += -= *= /= %=")
	p.Lexis.Before = strings.Fields("throw else do in is")
	p.Newlines, p.Keywords = true, true
	p.Between = strings.Fields("in is as else to until downTo step and or xor shl shr catch finally")
	p.Declares = func(t *syntax.Tree, i int) bool { return t.Is(i-1, "val", "var") }
	p.Break = func(t *syntax.Tree, i int) bool {
		return t.Is(i-1, "return", "break", "continue") || t.Is(i, "(", "[", "+", "-", "++", "--", "::")
	}
	v := &p.Values
	v.Core = syntax.Wrapping{Types: []string{"as"}, Brackets: true, Converts: kotlinCastPattern.MatchString}.Core
	v.Makes, v.Keys = syntax.MadeBy(kotlinMadePattern, kotlinConstructedPattern), []string{"=", "to"}
	v.Asks = strings.Fields("equals contains startsWith endsWith matches containsKey containsValue contentEquals containsAll")
	v.Asked = func(f *syntax.Finder, e syntax.Expr) []syntax.Edit {
		if at := f.Find(e, "in"); at > e.From && !f.Is(at-1, "!") {
			return f.Last([]syntax.Expr{{From: e.From, To: at}, {From: at + 1, To: e.To}})
		}
		return nil
	}
	p.Checking = syntax.Checking{Functions: kotlinFunctions, Judges: kotlinJudges, Visit: kotlinVisit, Fails: syntax.FailingBy("if try", failing)}
	kotlinChanging(&p.Changing)
	return &p
}

// kotlinChanging says how a source in Kotlin is changed a little.
func kotlinChanging(c *syntax.Changing) {
	inert := syntax.InertC(strings.Fields("println print debug info warn error trace")...)
	c.Inert = func(t *syntax.Tree, i int) int {
		switch {
		case t.Is(i, "throw"):
			return t.End(i + 1)
		case t.Is(i, "import", "package") && (i == 0 || t.Broken(i)):
			return t.LineEnd(i)
		case t.Is(i, "@"), t.Is(i+1, "("):
			return inert(t, i)
		}
		return i
	}
	c.Bodies, c.Type = false, nil
	c.Returns, c.Returned = kotlinReturns, kotlinReturned
	c.Puts = func(text string) string { return map[bool]string{true: "${"}[text[0] == '"'] }
	c.Ties = map[string]string{".reversed()": "sortedBy sortedByDescending sortedWith minBy maxBy minByOrNull maxByOrNull"}
	c.Errors, c.Handled = [2]string{"IllegalStateException", "UnsupportedOperationException"}, handled()
	maps.Copy(c.Swaps, map[string]string{"..": " until ", "..<": "..", "===": "!==", "!==": "==="})
	words := map[string]string{"until": "..", "and": "or", "or": "and", "shl": "shr", "shr": "shl"}
	c.Word = func(t *syntax.Tree, i int) (syntax.Expr, string) {
		if (t.Named(i-1) || t.Literal(i-1) || t.Is(i-1, ")", "]")) && !t.Is(i+1, ".", ")", ",", "=", ":") {
			return syntax.Expr{From: i, To: i + 1}, words[t.Word(i)]
		}
		return syntax.Expr{}, ""
	}
	condition := c.Condition
	c.Condition = func(t *syntax.Tree, i int) syntax.Expr {
		if t.Is(i, "require", "check") && t.Is(i+1, "(") && len(t.Args(i+1)) == 1 {
			return t.Inside(i + 1)
		}
		return condition(t, i)
	}
}

// kotlinLiteral measures a name in backticks.
func kotlinLiteral(all string, at int, _ bool) (syntax.Kind, int) {
	if end := strings.IndexAny(all[at+1:], "`\n"); all[at] == '`' && end > 0 {
		return syntax.Word, end + 2
	}
	return syntax.Sign, 0
}

var (
	kotlinCastPattern = lazyregexp.New(`^(?:trimIndent|trimMargin|to(?:Byte|Short|Int|Long|Float|Double|U\w+|Char|String|Set|List|BigDecimal|BigInteger))$`)

	kotlinMadePattern        = lazyregexp.New(`^(?:(?:\w+)?(?:listOf|setOf|mapOf|arrayOf|ArrayOf|ListOf|SetOf|MapOf)|sequenceOf|listOfNotNull|Pair|Triple|(?:List|Set|Map|Optional|BigDecimal|BigInteger|Duration)\.(?:of|valueOf|ofMillis|ofSeconds))\s*(?:<(?s:.*))?\($`)
	kotlinConstructedPattern = lazyregexp.New(`(?:^|[^\p{L}\w$])\p{Lu}[\p{L}\w$]*\s*\($`)
)

// kotlinFunctions lists the functions of a file.
func kotlinFunctions(t *syntax.Tree) []syntax.Function {
	var out []syntax.Function
	from := -1 // of the annotations and modifiers under way
	for i := 0; i < t.Len(); {
		end := syntax.Annotation(t, i)
		if from < 0 {
			from = i
		}
		fn, ok := kotlinFunction(t, i)
		switch {
		case ok:
			if fn.Head.From = from; isTest(t, fn.Head) {
				fn.Test = fn.Name
			}
			out = append(out, fn)
			end, from = fn.Body.To, -1
		case end == i && (!t.Named(i) || t.Is(i, "val", "var", "class", "object")):
			from = -1
		}
		i = max(i+1, end)
	}
	return out
}

// kotlinFunction is the function that token i, as fun, begins, if it has a name and a
// body.
func kotlinFunction(t *syntax.Tree, i int) (fn syntax.Function, ok bool) {
	if !t.Is(i, "fun") || t.Is(i-1, ".", "::") {
		return fn, false
	}
	open := i + 1
	for open < t.Len() && !t.Is(open, "(", "{", "}", "=", ";") {
		open = t.Types(open, t.Len())
	}
	if !t.Is(open, "(") || !t.Named(open-1) || open == i+1 {
		return fn, false
	}
	fn = syntax.Function{Name: strings.Trim(t.Word(open-1), "`"), Head: syntax.Expr{From: i, To: open - 1}, Params: t.Inside(open)}
	at := t.Group(open)
	if t.Is(at, ":") {
		for at++; at < t.Len() && !t.Is(at, "{", "=", "}", ";") && (!t.Broken(at) || t.Continues(at-1)); {
			at = t.Types(at, t.Len())
		}
	}
	switch {
	case t.Is(at, "{"):
		fn.Body = syntax.Expr{From: at, To: t.Group(at)}
	case t.Is(at, "="):
		fn.Body = syntax.Expr{From: at + 1, To: t.End(at + 1)}
	}
	return fn, !fn.Body.Empty()
}

// kotlinReturns is what a return returns, or a function whose body is an expression.
func kotlinReturns(t *syntax.Tree, i int) syntax.Expr {
	from := i + 1
	switch {
	case t.Is(i, "return") && t.Is(from, "@"):
		from += 2
	case t.Is(i, "return"):
	case t.Is(i, "=") && t.Is(kotlinSignature(t, i), ")"):
	default:
		return syntax.Expr{}
	}
	if e := (syntax.Expr{From: from, To: t.End(from)}); !t.Is(i, "return") || !t.Broken(from) {
		return e
	}
	return syntax.Expr{}
}

// kotlinSignature is where the parameters of a function end before the token that opens
// its body; any other place if no type alone stands between them.
func kotlinSignature(t *syntax.Tree, body int) int {
	const most = 20
	at := body - 1
	for ; at > body-most && (t.Named(at) || t.Is(at, "<", ">", ",", ".", "?")); at-- {
	}
	if at == body-1 || !t.Is(at, ":") {
		return at
	}
	return at - 1
}

// kotlinReturned lists other values than one that a function returns, by its text or by the
// type that the function is said to return.
func kotlinReturned(t *syntax.Tree, e syntax.Expr, _ string) []syntax.Result {
	of := ""
	for at := e.From - 1; at >= 0 && of == ""; at = t.Around(at) {
		if t.Is(at, "=", "{") && t.Is(kotlinSignature(t, at), ")") && at > 1 && t.Is(at-2, ":") {
			of = t.Word(at - 1)
		}
	}
	if t.Find(e, "in", "is") > e.From && t.Find(e, "?:", "=", "->") < 0 && !t.Is(e.From, "if", "when") {
		return []syntax.Result{{Text: "!(" + t.Source(e) + ")"}}
	}
	known := map[string]string{"Int": "int", "Long": "long", "Double": "double", "Float": "float", "String": "String", "Boolean": "boolean"}
	if t.Find(e, "..", "..<", "until", "to") > e.From || of != "" && known[of] == "" && !syntax.Compares(t, e) {
		return nil // a range, a pair, another class
	}
	return syntax.TypedResults(t, e, known[of])
}
