package javascript

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
)

// inert is the place behind what begins at token i and does nothing when it runs, or
// only says something: imports, types, messages, the heads of loops.
func inert(t *syntax.Tree, i int) int {
	switch s := t.Word(i); {
	case !t.Named(i) || t.Is(i-1, "."):
	case s == "import" && !t.Is(i+1, "("), s == "export" && t.Is(i+1, "*", "{", "type"),
		s == "declare", s == "type" && t.Named(i+1) && t.Is(i+2, "=", "<"):
		return t.ListEnd(i + 1)
	case s == "interface" && t.Named(i+1):
		if open := t.Find(syntax.Expr{From: i, To: t.Len()}, "{"); open > 0 {
			return t.Group(open)
		}
	case s == "throw", s == "require", s == "import":
		return t.End(i + 1)
	case (s == "for" || s == "while") && t.Is(i+1, "("):
		return t.Group(i + 1) // or it may never end
	case s == "console" && t.Is(i+1, ".") && t.Is(i+3, "("):
		return t.Group(i + 3)
	}
	return i
}

// erased are the declarations of types, and what functions are said to give back, which are
// gone when a source runs.
func erased(content string) []syntax.Span {
	t := page().Parse(content)
	var out []syntax.Span
	for i := 0; i < t.Len(); i++ {
		if end := inert(t, i); end > i && t.Is(i, "type", "interface", "declare") {
			from := i
			if t.Is(i-1, "export") {
				from--
			}
			if t.Is(end, ";") {
				end++
			}
			out = append(out, t.Span(syntax.Expr{From: from, To: end}))
			i = end - 1
		} else if end := resultType(t, i); end > i {
			out = append(out, t.Span(syntax.Expr{From: i, To: end}))
		}
	}
	return out
}

// resultType is the place behind the type that a function is said to give back, if that
// begins with the colon at token i.
func resultType(t *syntax.Tree, i int) int {
	if !t.Is(i, ":") || !t.Is(i-1, ")") {
		return i
	}
	for at := i - 1; at > t.Around(i) && !t.Is(at, ";", "}"); at-- {
		if at = t.Opening(at); t.Is(at, "?", "case") {
			return i // an answer to a condition
		}
	}
	for at := i + 1; at < t.Len(); at = t.Group(at) {
		switch {
		case t.Is(at, "=>"), t.Is(at, "{") && !t.Is(at-1, ":", "|", "&", "<", ","):
			return at
		case t.Is(at, "(", ";") || t.Closes(at):
			return i
		}
	}
	return i
}

// returns is what a return or an arrow returns.
func returns(t *syntax.Tree, i int) syntax.Expr {
	arrow := t.Kind(i) == syntax.Sign && t.Is(i, "=>") && !t.Is(i+1, "{") && !typed(t, i)
	gives := t.Named(i) && t.Is(i, "return") && !t.Is(i-1, ".") && !key(t, i) && !t.Broken(i+1)
	if !arrow && !gives {
		return syntax.Expr{}
	}
	return syntax.Expr{From: i + 1, To: t.End(i + 1)}
}

// typed reports whether the arrow at token i belongs to a type: that of a parameter, or
// of what a function gives back.
func typed(t *syntax.Tree, i int) bool {
	if !t.Is(i-1, ")") {
		return false // what comes before is what the function gives back
	}
	at := t.Opening(i-1) - 1
	for t.Is(at, "(") {
		at--
	}
	name := at - 1
	if t.Is(name, "?") {
		name--
	}
	around := t.Around(at)
	parameter := t.Is(around, "(") && t.Named(name) && t.Is(name-1, "(", ",")
	return t.Is(at, ":") && (parameter || t.Is(at-1, ")") && t.Find(syntax.Expr{From: around + 1, To: at}, "?") < 0)
}

// anotherResult is another value of the type of the value that it is called with. An object
// and a function become empty ones: whoever looks into nothing crashes, and asserts nothing.
const anotherResult = `((v) => typeof v === "number" ? v + 1 : typeof v === "string" ? v + "~" : typeof v === "boolean" ? !v : ` +
	`Array.isArray(v) ? [...v, null] : typeof v === "bigint" ? v + 1n : typeof v === "function" ? () => {} : {})`

// returned is another value than one that a function returns.
func returned(t *syntax.Tree, e syntax.Expr, _ string) []syntax.Result {
	const least = 4
	text := t.Source(e)
	value := t.Is(e.From-1, "return") || !t.Is(e.To-1, ")") || t.Whole(e) // what an arrow calls may do something
	switch {
	case t.Is(e.From, "new") || t.Find(e, "=>") >= 0:
	case t.Find(e, "?", "&&", "||", "??") > e.From:
		return []syntax.Result{{Text: anotherResult + "(" + text + ")", Rank: least, What: "another value"}}
	case t.Find(e, "===", "!==", "==", "!=", "<=", ">=") > e.From || t.Is(e.From, "!"):
		return []syntax.Result{{Text: "!(" + text + ")"}}
	case t.Find(e, "+", "-", "*", "/", "%") > e.From && (t.Kind(e.From) != syntax.Text || text[0] == '`'):
		return []syntax.Result{{Text: "(" + text + " + 1)"}}
	case text == "null":
		return []syntax.Result{{Text: "({})", Rank: least}}
	case value && text != "undefined":
		return []syntax.Result{{Text: anotherResult + "(" + text + ")", Rank: least, What: "another value"}}
	}
	return nil
}

// constant is another value than a literal, unless that is a key or a type.
func constant(t *syntax.Tree, i int) string {
	switch text := t.Word(i); {
	case key(t, i):
	case t.Kind(i) == syntax.Number:
		return "(" + text + " + 1" + map[bool]string{true: "n"}[strings.HasSuffix(text, "n")] + ")"
	case t.Kind(i) == syntax.Text && isValue(t, i):
		return "(" + text + ` + "~")`
	}
	return ""
}

// key reports whether a token names a property, or stands in a type.
func key(t *syntax.Tree, i int) bool {
	return t.Is(i+1, ":") && t.Is(i-1, "{", ",", ";") || t.Is(i+1, "|") || t.Is(i-1, "|")
}

// isValue reports whether a literal is a value: no statement, no type, nothing of JSX.
func isValue(t *syntax.Tree, i int) bool {
	before := t.Word(i - 1)
	switch {
	case before == "" || slices.Contains([]string{";", "as", "from", "<", "extends", "keyof", "{", "}"}, before): // a directive, a type
		return false
	case t.Named(i - 1):
		return slices.Contains([]string{"return", "case", "in", "of", "typeof", "await", "yield", "else", "default"}, before)
	case strings.HasPrefix(t.Word(i), "`") && (before == ")" || before == "]"): // a tag's
		return false
	}
	return before != "=" || !t.Adjacent(i) || !t.Adjacent(i-1) // an attribute of JSX
}
