package rust

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// unreached fails the test that gets there. The compiler does not know it.
const unreached = ` if "".is_empty() { panic!("tdd") }`

// judges reports whether what is called at token i checks something, by its name.
func judges(t *syntax.Tree, i int) bool {
	return t.Is(i+1, "!") && t.Opens(i+2) && (assertsPattern.MatchString(t.Word(i)) || t.Is(i, "panic"))
}

// begin binds what loops and cases give to names, and notes what a function's head expects.
func begin(f *syntax.Finder, fn syntax.Function) bool {
	for i := fn.Body.From; i < fn.Body.To; i++ {
		if !f.Is(i, "for") {
			continue
		}
		in := f.Find(syntax.Expr{From: i + 1, To: f.Len()}, "in")
		open := f.Find(syntax.Expr{From: max(in, i) + 1, To: f.Len()}, "{")
		f.BindAll(syntax.Expr{From: i + 1, To: in}, f.Rows(syntax.Expr{From: in + 1, To: open}, i)) // a table that is written out
	}
	cases(f, fn)
	list, _ := attributes(f.Tree, fn.Head.From)
	if k := slices.IndexFunc(list, func(a syntax.Expr) bool { return f.Is(a.From, "should_panic") }); k >= 0 {
		f.Note(list[k], f.Literals(list[k]), f.Replace(syntax.Expr{From: list[k].From - 2, To: list[k].To + 1}, ""))
		return false // a check in the body only adds to that
	}
	if result(f.Tree, fn) == "bool" && (strings.Contains(f.Text, "quickcheck("+fn.Name+" ") || carries(f.Tree, fn, quickcheckPattern)) { // it says whether a property holds
		f.Note(fn.Body, nil, append(f.Insert(fn.Body.From-1, " { !("), f.Insert(fn.Body.To-1, ") }")...))
	}
	return true
}

var quickcheckPattern = lazyregexp.New(`quickcheck$`)

// result is the type of what a function returns, as it is written.
func result(t *syntax.Tree, fn syntax.Function) string {
	return t.Folded(syntax.Expr{From: fn.Params.To + 2, To: fn.Body.From})
}

// visit notes the check that begins at token i, and returns the place behind it.
func visit(f *syntax.Finder, i int) int {
	switch {
	case !f.Named(i):
	case f.Is(i+1, "!") && f.Opens(i+2):
		return macro(f, i)
	case f.Is(i, "if"):
		branch(f, i)
	case f.Is(i, "match"):
		match(f, i)
	case f.Is(i, "else") && f.Is(i+1, "{") && !f.Is(i-1, "}"): // of a let
		if end := f.Group(i + 1); fails(f, syntax.Expr{From: i + 1, To: end}) {
			must(f, i, end).Guard = true
		}
	case f.Is(i+1, "("):
		return call(f, i)
	}
	return i + 1
}

// branch notes an if one of whose arms fails the test.
func branch(f *syntax.Finder, i int) {
	open := f.Find(syntax.Expr{From: i + 1, To: f.Len()}, "{")
	if open < 0 {
		return
	}
	cond, then := syntax.Expr{From: i + 1, To: open}, syntax.Expr{From: open, To: f.Group(open)}
	otherwise := syntax.Expr{}
	if f.Is(then.To, "else") && f.Is(then.To+1, "{") {
		otherwise = syntax.Expr{From: then.To + 1, To: f.Group(then.To + 1)}
	}
	failing, at := fails(f, then), syntax.Expr{From: i, To: open}
	if failing == fails(f, otherwise) {
		return
	}
	if f.Find(cond, "let") < 0 {
		f.Note(at, f.Decided(cond, syntax.Sense(!failing)), f.Wrap(cond, "!(", ")"))
		return
	}
	passing := then.From // the token behind which the test goes on
	switch {
	case failing && !otherwise.Empty():
		passing = otherwise.From
	case failing:
		passing = then.To - 1
	}
	f.Note(at, nil, f.Insert(passing, unreached)).Guard = !failing || f.Is(cond.From+1, "Err", "None")
}

// fails reports whether a block or an arm fails the test, without a condition of its own.
func fails(f *syntax.Finder, e syntax.Expr) bool {
	if f.Is(e.From, "{") {
		e = f.Inside(e.From)
	}
	for i := e.From; i < e.To; i = f.Group(i) {
		if f.Is(i+1, "!") && (f.Is(i, "panic", "unreachable", "bail", "fail") || f.Is(i, "assert") && f.Is(i+3, "false")) ||
			f.Is(i, "Err") && f.Is(i+1, "(") && f.Is(i-1, "return", "{", "=>") {
			return true
		}
	}
	return false
}

// match notes a match some of whose arms fail the test.
func match(f *syntax.Finder, i int) {
	open := f.Find(syntax.Expr{From: i + 1, To: f.Len()}, "{")
	if open < 0 {
		return
	}
	var altered, negated []syntax.Edit
	failing, end := false, f.Inside(open).To
	for at := open + 1; at < end; {
		arrow := f.Find(syntax.Expr{From: at, To: end}, "=>")
		if arrow < 0 {
			return
		}
		body := syntax.Expr{From: arrow + 1, To: min(end, f.End(arrow+1))}
		reach := f.Wrap(body, "{"+unreached+" ", " }")
		if f.Is(body.From, "{") {
			body.To = f.Group(body.From)
			reach = f.Insert(body.From, unreached)
		}
		if fails(f, body) {
			failing = true
		} else {
			altered = append(altered, f.Literals(syntax.Expr{From: at, To: arrow})...)
			negated = append(negated, reach...)
		}
		if at = body.To; f.Is(at, ",") {
			at++
		}
	}
	if failing {
		f.Note(syntax.Expr{From: i, To: open}, altered, negated).Guard = altered == nil && f.Is(open+1, "Ok", "Some")
	}
}

// cases binds what the parameters of a test get from its attributes.
func cases(f *syntax.Finder, fn syntax.Function) {
	params := slices.DeleteFunc(f.Split(fn.Params, ","), func(p syntax.Expr) bool {
		return f.Find(p, ":") < 1 || f.Is(p.From, "#") && !f.Is(p.From+2, "case")
	})
	given := map[string][]syntax.Expr{}
	list, _ := attributes(f.Tree, fn.Head.From)
	for _, a := range list {
		for k, value := range row(f, a) {
			if k < len(params) {
				name := f.Word(f.Find(params[k], ":") - 1)
				given[name] = append(given[name], value)
			}
		}
	}
	for name, values := range given {
		f.Bind(name, values)
	}
}

// row lists the values in an attribute: in #[case(…)], and in #[test_case(…; "name")], whose
// name would otherwise tell them. What follows => in that is a check by itself.
func row(f *syntax.Finder, a syntax.Expr) []syntax.Expr {
	open := f.Find(a, "(")
	if open < 0 || !f.Is(a.From, "case") && !f.Is(open-1, "test_case") {
		return nil
	}
	values := f.Inside(open)
	if name := f.Find(values, ";"); name > 0 {
		values.To = name
	} else if !f.Is(a.From, "case") {
		return nil
	}
	if arrow := f.Find(values, "=>"); arrow > 0 {
		result := syntax.Expr{From: arrow + 1, To: values.To}
		if result.To-1 == f.Core(result).From && f.Literal(result.To-1) {
			f.Note(result, f.Altered(result, syntax.Other), nil)
		}
		values.To = arrow
	}
	return f.Split(values, ",")
}
