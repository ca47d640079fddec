package php

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// inert is the place behind what does nothing that a test could notice: declarations,
// what is printed, errors, the heads of loops, which might never end.
func inert(t *syntax.Tree, i int) int {
	switch {
	case t.Is(i, "#") && t.Is(i+1, "["):
		return t.Group(i + 1)
	case !t.Named(i) || t.Is(i-1, "->", "::", "?->"):
	case t.Is(i, "use", "namespace", "declare", "throw", "echo", "print"):
		return t.End(i)
	case t.Is(i, "for", "foreach", "while") && t.Is(i+1, "("):
		return t.Group(i + 1)
	case t.Is(i, "class", "interface", "trait", "enum", "function"):
		for i < t.Len() && !t.Is(i, "{", ";") {
			i = t.Group(i)
		}
	}
	return i
}

// returns is what a return or the arrow of a function returns.
func returns(t *syntax.Tree, i int) syntax.Expr {
	if t.Is(i, "return") || t.Is(i, "=>") && t.Opening(i-1) < i-1 && t.Is(t.Opening(i-1)-1, "fn") {
		return syntax.Expr{From: i + 1, To: t.End(i + 1)}
	}
	return syntax.Expr{}
}

// nearValues are values that differ from the one that they are called with by no more
// than a loose comparison lets pass: the next number, the other case, another order;
// the number before, a blank in front, another first element.
func nearValues() []string {
	return []string{
		`(function ($v) { return is_int($v) ? $v + 1 : (is_float($v) ? $v + 0.05 * abs($v) + 0.05 : (is_string($v) ` +
			`? (strtolower($v) ^ strtoupper($v) ^ $v) : (is_array($v) ? array_reverse($v) : $v))); })`,
		`(function ($v) { return is_int($v) ? $v - 1 : (is_float($v) ? $v - 0.05 * abs($v) - 0.05 : (is_string($v) ` +
			`? "\n" . $v : (is_array($v) && $v ? array_replace($v, [array_keys($v)[0] => null]) : $v))); })`,
	}
}

// anotherValue is another value of the type of the value that it is called with.
const anotherValue = `(fn ($v) => is_bool($v) ? !$v : (is_int($v) || is_float($v) ? $v + 1 : (is_string($v) ? $v . '~' : (is_array($v) ? [...$v, null] : null))))`

// returned are other values than one that a function returns.
func returned(t *syntax.Tree, e syntax.Expr, _ string) []syntax.Result {
	text := t.Source(e)
	switch {
	case t.Find(e, "?", "&&", "||", "fn", "function", "new", "match") >= 0:
	case t.Is(e.From, "!"), t.Find(e, "===", "!==", "==", "!=", "<=", ">=", "<", ">") > e.From:
		return []syntax.Result{{Text: "!(" + text + ")"}}
	case t.Find(e, ".") >= 0:
		return []syntax.Result{{Text: anotherValue + "(" + text + ")", What: "another value of (" + text + ")"}}
	case t.Kind(e.From) == syntax.Number && e.To == e.From+1,
		t.Find(e, "-", "+", "*", "/", "%") > e.From && t.Kind(e.From) != syntax.Text && !t.Is(e.From, "["):
		return []syntax.Result{{Text: "(" + text + " + 1)"}}
	case variable(t, e.From) && !strings.ContainsAny(text, "(["):
		return []syntax.Result{{Text: anotherValue + "(" + text + ")", What: "another value of (" + text + ")"}}
	}
	return nil
}

// constant is another value than one that is written out.
func constant(t *syntax.Tree, i int) string {
	switch was := t.Word(i); {
	case t.Kind(i) == syntax.Number:
		return "(" + was + " + 1)"
	case was[0] == '\'':
		return "(" + was + " . '~')"
	}
	return ""
}

var (
	annotatedPattern = lazyregexp.New(`@[\w\\]`)
	openingPattern   = lazyregexp.New(`^(?:#![^\n]*\n)?<\?php\s`)
)

// code is a source without its comments and its layout. Comments that say something
// with an annotation may be read when it runs, and what stands outside the tags is
// printed as it is.
func code(content string) string {
	if _, masked := page().Mask(content); !openingPattern.MatchString(content) || strings.Contains(masked, "?>") {
		return content
	}
	return page().Plain(content)
}
