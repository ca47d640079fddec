package rust

import (
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// attribute reports whether an attribute, #[…], begins at token i, and returns what is
// inside and the place behind it.
func attribute(t *syntax.Tree, i int) (inside syntax.Expr, end int, ok bool) {
	if !t.Is(i, "#") || !t.Is(i+1, "[") {
		return syntax.Expr{}, i, false
	}
	return t.Inside(i + 1), t.Group(i + 1), true
}

// functions lists the functions of a file, and the macros that are declared by their
// rules.
func functions(t *syntax.Tree, _ gates.Kind) []syntax.Function {
	var out []syntax.Function
	head := 0 // where the attributes and the words before a function begin
	for i := 0; i < t.Len(); {
		fn, ok := functionAt(t, i)
		_, end, attributed := attribute(t, i)
		switch {
		case ok:
			fn.Head = syntax.Expr{From: head, To: i}
			if slices.ContainsFunc(attributes(t, fn.Head), func(a syntax.Expr) bool { return testAttribute(fold(t, a)) }) {
				fn.Test = fn.Name
			}
			out = append(out, fn)
			i, head = fn.Body.To, fn.Body.To
		case attributed:
			i = end
		default:
			modifies := t.Kind(i) == syntax.Text || t.Is(i, "(", ")", "pub", "async", "unsafe", "const", "extern", "crate", "super")
			if i++; !modifies {
				head = i
			}
		}
	}
	return out
}

// attributes lists what stands in the attributes before a function.
func attributes(t *syntax.Tree, head syntax.Expr) []syntax.Expr {
	var out []syntax.Expr
	for i := head.From; i < head.To; i++ {
		if inside, end, ok := attribute(t, i); ok {
			out = append(out, inside)
			i = end - 1
		}
	}
	return out
}

// functionAt reads the function, or the rules of a macro, that begin at token i.
func functionAt(t *syntax.Tree, i int) (fn syntax.Function, ok bool) {
	if t.Is(i, "macro_rules") && t.Is(i+1, "!") && t.Opens(i+3) {
		return syntax.Function{Name: t.Word(i + 2), Body: syntax.Expr{From: i + 3, To: t.Group(i + 3)}}, true
	}
	if !t.Is(i, "fn") || !t.Named(i+1) {
		return fn, false
	}
	open := i + 2
	for open < t.Len() && !t.Opens(open) && !t.Is(open, ";") {
		open++
	}
	body := t.Group(open)
	for t.Is(open, "(") && body < t.Len() && !t.Is(body, "{") && !t.Is(body, ";") {
		body++
	}
	if !t.Is(open, "(") || !t.Is(body, "{") {
		return fn, false
	}
	return syntax.Function{Name: t.Word(i + 1), Params: t.Inside(open), Body: syntax.Expr{From: body, To: t.Group(body)}}, true
}
