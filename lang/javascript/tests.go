package javascript

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
)

// call is a call that declares a test or a suite.
type call struct {
	suite bool
	args  []syntax.Expr
	rows  []syntax.Expr // of its table
	whole bool          // a row is one argument
	open  int           // the bracket of its arguments
}

// declares reads a call that declares a test or a suite.
func (f *finder) declares(i int) (call, bool) {
	var out call
	switch {
	case f.Is(i, "test", "it", "specify", "fit", "xit", "xtest"):
	case f.Is(i, "describe", "suite", "context", "fdescribe", "xdescribe"):
		out.suite = true
	default:
		return out, false
	}
	if f.Is(i-1, ".") && !f.ofTest(i-2) || f.Is(i-1, "function", "const", "let", "var", "?.") {
		return out, false
	}
	if out.open = f.Arguments(f.modified(i+1, &out)); out.open < 0 {
		return out, false
	}
	out.args = f.Args(out.open)
	return out, len(out.args) > 1 || len(out.args) == 1 && f.Kind(out.args[0].From) == syntax.Text && !f.Is(out.args[0].From+1, "+")
}

// modified is the place behind what modifies a declaration, as .only and .each(table).
func (f *finder) modified(at int, d *call) int {
	for f.Is(at, ".") && f.Named(at+1) {
		modifier := f.Word(at + 1)
		at += 2
		switch open := f.Arguments(at); {
		case modifier == "extend":
			return f.Len()
		case open < 0 && strings.HasPrefix(f.Word(at), "`"):
			at++ // a table in a template: what is in it is not followed
		case open >= 0 && (modifier == "each" || modifier == "for"):
			d.rows, d.whole = f.rows(f.Inside(open), open), modifier == "for"
			at = f.Group(open)
		case open >= 0 && (modifier == "skipIf" || modifier == "runIf"):
			at = f.Group(open)
		}
	}
	return at
}

// ofTest reports whether a name is one that tests call the test itself by.
func (f *finder) ofTest(i int) bool {
	return f.Is(i, "t", "ctx", "context", "test", "nodeTest", "vitest", "mocha", "st", "Deno")
}

// rows are the rows of a table, which stands at a place or in a constant.
func (f *finder) rows(e syntax.Expr, use int) []syntax.Expr {
	e = f.Resolved(e, use)
	entries := f.Is(e.From, "Object") && f.Is(e.From+2, "entries") && f.Group(e.From+3) == e.To
	if entries {
		e = f.Resolved(f.Inside(e.From+3), use)
	}
	if f.Whole(e) && f.Is(e.From, "{") == entries {
		return f.Args(e.From)
	}
	return nil
}

// params are the parameters of a function that is written out at a place.
func (f *finder) params(fn syntax.Expr) []syntax.Expr {
	i := fn.Where(func(i int) bool { return !f.Named(i) && !f.Is(i, "*") })
	switch {
	case f.Is(i, "("):
		return f.Args(i)
	case f.Is(i, "=>"):
		return []syntax.Expr{{From: i - 1, To: i}}
	}
	return nil
}

// tabled binds what a call's table gives the parameters of its function.
func (f *finder) tabled(d call) {
	if len(d.rows) == 0 || len(d.args) < 2 {
		return
	}
	params := f.params(d.args[len(d.args)-1])
	if first := f.Core(d.rows[0]); len(params) > 0 && (d.whole || !f.Is(first.From, "[")) {
		f.BindAll(params[0], d.rows)
	} else {
		f.BindEach(params, d.rows)
	}
}

// loop is what a loop goes through: for (const x of rows), or rows.forEach(x => …).
func (f *finder) loop(i int) (param syntax.Expr, rows []syntax.Expr, body syntax.Expr) {
	switch {
	case f.Is(i, "for") && f.Is(i+1, "("):
		head := f.Inside(i + 1)
		of := f.Find(head, "of")
		if of < head.From+2 {
			break
		}
		body = syntax.Expr{From: head.To + 1, To: f.End(head.To + 1)}
		if f.Is(body.From, "{") {
			body.To = f.Group(body.From)
		}
		return syntax.Expr{From: head.From + 1, To: of}, f.rows(syntax.Expr{From: of + 1, To: head.To}, i), body
	case f.Is(i, ".") && f.Is(i+1, "forEach", "map") && f.Is(i+2, "("):
		args, from := f.Args(i+2), f.Opening(i-1) // of a list, a name, or the entries of an object
		if f.Is(from-1, "entries") {
			from -= 3
		}
		if params := f.params(f.Inside(i + 2)); len(params) > 0 {
			return params[0], f.rows(syntax.Expr{From: max(0, from), To: i}, i), args[0]
		}
	}
	return param, nil, body
}

// declared names the tests by their titles, in order. What is not written out of a
// title stands as in a template.
func declared(test string) []string {
	f := &finder{Finder: page().Finder(test)}
	var out []string
	for i := range f.Len() {
		if d, ok := f.declares(i); ok && !d.suite {
			out = append(out, f.title(d.args[0]))
		}
	}
	return slices.Clip(out)
}
