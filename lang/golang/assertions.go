package golang

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
)

// assertions lists what the tests expect: failing calls with the conditions they stand
// under, calls of assertion libraries, literal values and the rows of tables.
func assertions(test string) []string {
	w := &expectations{Tree: page().Parse(test)}
	w.walk(w.All(), "")
	return w.out
}

// expectations collects expectations.
type expectations struct {
	*syntax.Tree

	out []string
}

// note adds an expectation with its conditions.
func (w *expectations) note(under string, at syntax.Expr) {
	w.out = append(w.out, under+w.Folded(at))
}

// walk collects what a part of a test expects that stands under some conditions.
func (w *expectations) walk(e syntax.Expr, under string) {
	for i := e.From; i < e.To; {
		i = max(i+1, w.visit(i, e.To, under))
	}
}

// visit collects what begins at token i, and returns the place behind it.
func (w *expectations) visit(i, end int, under string) int {
	switch {
	case w.Is(i, "if"):
		return w.branch(i, under)
	case w.Is(i, "case", "default"):
		cond, body := clause(w.Tree, i)
		w.walk(cond, under)
		w.walk(body, under+"case "+w.Folded(cond)+": ")
		return body.To
	case w.Is(i, "for", "switch"):
		body := blockOf(w.Tree, i)
		if head := (syntax.Expr{From: i + 1, To: body}); w.Is(i, "switch") || w.Find(head, ";") < 0 { // it only counts
			w.walk(head, under)
		}
		return body
	case w.Is(i, "package", "import", "type") && !w.Is(i+1, ")"):
		return w.LineEnd(i)
	case w.Is(i, "func"):
		name, _, body := signature(w.Tree, i)
		if strings.HasPrefix(w.Word(name), "Benchmark") && strings.Contains(w.Source(syntax.Expr{From: name, To: body}), "testing.B") {
			return w.Group(body)
		}
		return body
	case assigns(w.Word(i)):
		return w.values(i, end)
	case w.Is(i+1, "(") && w.Is(i-1, "."):
		return w.call(i, under)
	case w.Named(i) && !w.Is(i-1, ".") || w.Is(i, "[") && w.Continues(i-1):
		if open := typeEnd(w.Tree, i); open < end && w.Is(open, "{") && !w.Broken(open) && !w.Is(i, "else", "select") {
			return w.literal(i, open)
		}
	}
	return i + 1
}

// branch collects from both arms of an if.
func (w *expectations) branch(i int, under string) int {
	first, _, body := head(w.Tree, i)
	w.walk(first, under)
	end := w.Group(body)
	asked := w.Folded(syntax.Expr{From: i + 1, To: body})
	w.walk(syntax.Expr{From: body, To: end}, under+"if "+asked+": ")
	if w.Is(end, "else") {
		body, end = end+1, behind(w.Tree, i)
		w.walk(syntax.Expr{From: body, To: end}, under+"if not "+asked+": ")
	}
	return end
}

// call notes a call that fails a test, or one of an assertion library, whole.
func (w *expectations) call(i int, under string) int {
	behind := w.Group(i + 1)
	switch {
	case w.Is(i-2, "assert", "require", "cmp", "is", "qt", "must", "should", "check"), w.Is(i, "Assert", "Check"):
		w.note(under, syntax.Expr{From: i - 2, To: behind})
		return behind
	case failing(w.Tree, i):
		from := i - 2
		if !w.Named(from) {
			from = i
		}
		w.note(under, syntax.Expr{From: from, To: i + 1})
		return behind
	}
	return i + 1
}

// literal notes a value that is written out: a list row by row, anything else whole.
func (w *expectations) literal(i, open int) int {
	if !w.Is(i, "[", "map") {
		w.note("", syntax.Expr{From: i, To: w.Group(open)})
		return w.Group(open)
	}
	for _, row := range w.Args(open) {
		w.note("", row)
		for k := row.From; k < row.To; k++ {
			if _, _, body := signature(w.Tree, k); w.Is(k, "func") && w.Is(body, "{") {
				w.walk(syntax.Expr{From: body, To: w.Group(body)}, "")
				k = w.Group(body)
			}
		}
	}
	return w.Group(open)
}

// values notes names that are given literal values.
func (w *expectations) values(i, end int) int {
	list := syntax.Expr{From: i + 1, To: min(end, w.ListEnd(i+1))}
	parts := w.Split(list, ",")
	plain := func(e syntax.Expr) bool { return w.Literal(e.To-1) && e.To-e.From <= 2 && !w.Named(e.From) }
	if len(parts) == 0 || slices.ContainsFunc(parts, func(e syntax.Expr) bool { return !plain(e) }) {
		return i + 1
	}
	from := i
	for from > 0 && !w.Broken(from) && !w.Is(from-1, ";", "{", "}", "(", ":") && (!w.Named(from-1) || !w.Continues(from-1)) {
		from = w.Opening(from - 1)
	}
	w.note("", syntax.Expr{From: from, To: list.To})
	return list.To
}
