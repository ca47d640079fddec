package python

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
)

// alteration is how a check is made to expect something else.
type alteration struct {
	edits  []testrun.Edit
	values []testrun.Span // where the values are written out, if not where the edits are
}

func (a alteration) plus(b alteration) alteration {
	return alteration{slices.Concat(a.edits, b.edits), slices.Concat(a.values, b.values)}
}

func replaced(at testrun.Span, text string) alteration {
	return alteration{edits: []testrun.Edit{{Span: at, Text: text}}}
}

// anotherValue is another value of the type of the value that it is called with:
// what that type is shows only at run time.
const anotherValue = `(lambda v: not v if isinstance(v, bool) else v + 41 if isinstance(v, int) else -1.5 * v - 41.5 if isinstance(v, float)` +
	` else v + "~tdd" if isinstance(v, str) else v + b"~tdd" if isinstance(v, bytes) else [*v, "~tdd"] if isinstance(v, list)` +
	` else (*v, "~tdd") if type(v) is tuple else {**v, "~tdd": 41} if isinstance(v, dict)` +
	` else {*v, "~tdd"} if isinstance(v, (set, frozenset)) else object())`

// another puts another value in the place of an expression.
func (s *source) another(e expr) alteration {
	return replaced(e.span(), anotherValue+"("+s.read(e.span())+")")
}

// altered is another value than one that is written out: where it stands, or where
// the variable that holds it is used, so that no code under test has a hand in it.
func (f *finder) altered(e expr, to testrun.Way) alteration {
	switch {
	case len(e) == 0:
		return alteration{}
	case e[0].kind == quoted && !slices.ContainsFunc(e, func(t token) bool { return t.kind != quoted }):
		if to != testrun.Other {
			return alteration{}
		}
		return f.literal(e, to)
	case len(e) == 1 && e[0].kind == group:
		return f.container(e[0], to)
	case len(e) == 1 && e[0].kind == number, len(e) == 2 && f.is(e, 0, "-") && e[1].kind == number:
		return f.literal(e, to)
	case f.is(e, 0, "True") && len(e) == 1:
		return replaced(e[0].Span, "False")
	case f.is(e, 0, "False") && len(e) == 1:
		return replaced(e[0].Span, "True")
	}
	if value := f.converted(e); value != nil {
		return f.altered(value, to)
	}
	if values := f.written(e); values != nil {
		return f.used(e, values, to)
	}
	return f.part(e, to)
}

// literal is another literal: of a number, or of a string that may be in several
// parts.
func (f *finder) literal(e expr, to testrun.Way) alteration {
	text := f.read(e.span())
	switch {
	case e[0].kind == quoted:
		mark := `"~tdd"`
		if f.isBytes(e[0]) {
			mark = `b"~tdd"`
		}
		return replaced(e.span(), "("+text+" + "+mark+")")
	case to == testrun.Up:
		return replaced(e.span(), "("+text+" + 2**30)")
	case to == testrun.Down:
		return replaced(e.span(), "("+text+" - 2**30)")
	case strings.ContainsAny(text, ".eE") && !strings.ContainsAny(text, "xXjJ"):
		return replaced(e.span(), "(-1.5 * "+text+" - 41.5)")
	}
	return replaced(e.span(), "("+text+" + 41)")
}

// container alters the first value that is written out in brackets.
func (f *finder) container(t token, to testrun.Way) alteration {
	inner := f.inner(t)
	tuple := slices.ContainsFunc(inner, func(t token) bool { return f.of(t.Span) == "," })
	open := f.masked[t.Start]
	switch {
	case len(inner) == 0:
		return replaced(t.Span, map[byte]string{'[': `["~tdd"]`, '{': `{"~tdd": 41}`, '(': `("~tdd",)`}[open])
	case open == '(' && !tuple:
		return f.altered(inner, to)
	}
	for _, e := range f.elements(expr{t}) {
		if a := f.altered(e, testrun.Other); a.edits != nil {
			return a
		}
	}
	return alteration{}
}

// converted is the value that a call only gives another type or form; nil if an
// expression is no such call.
func (f *finder) converted(e expr) expr {
	last := len(e) - 1
	if last < 1 || e[last].kind != group || e[last-1].kind != word || last > 1 && !f.is(e, last-2, ".") {
		return nil
	}
	if !slices.Contains(strings.Fields("set frozenset list tuple dict bytes bytearray str float complex approx dedent sorted deque Counter OrderedDict array Path PurePath PurePosixPath u b"), f.of(e[last-1].Span)) {
		return nil
	}
	if args := f.split(f.inner(e[last]), ","); len(args) > 0 && !f.is(args[0], 1, "=") {
		return args[0]
	}
	return nil
}

// used alters a variable, or what is taken from one, where it is used.
func (f *finder) used(e expr, values []testrun.Span, to testrun.Way) alteration {
	a := f.another(e)
	if to != testrun.Other {
		if slices.ContainsFunc(values, func(v testrun.Span) bool { return strings.IndexByte("0123456789-.", f.masked[v.Start]) < 0 }) {
			return alteration{}
		}
		sign := map[testrun.Way]string{testrun.Up: "+", testrun.Down: "-"}[to]
		a = replaced(e.span(), "("+f.read(e.span())+" "+sign+" 2**30)")
	}
	a.values = values
	return a
}

// written is where the values are written out that an expression may have: a
// variable, or a part of a row. It is nil if they are not, or not all of them.
func (f *finder) written(e expr) []testrun.Span {
	if e[0].kind != word {
		return nil
	}
	name := f.of(e[0].Span)
	if rows, ok := f.fn.rows[name]; ok && len(e) > 1 {
		return f.column(rows, e[1:])
	}
	if len(e) != 1 {
		return nil
	}
	if cells, ok := f.fn.cells[name]; ok {
		return f.literals(cells)
	}
	if given := f.resolved(f.fn, e); given.span() != e.span() {
		return f.literals([]expr{given})
	}
	return nil
}

// column is where the values are written out that are taken from rows in the same
// way: row["want"], row[1], row.want.
func (f *finder) column(rows []expr, taken expr) []testrun.Span {
	var key string
	switch {
	case len(taken) == 1 && f.masked[taken[0].Start] == '[':
		key = f.read(f.inner(taken[0]).spanOr(taken[0].Span))
	case len(taken) == 2 && f.is(taken, 0, "."):
		key = f.read(taken[1].Span)
	}
	var cells []expr
	for _, row := range rows {
		cells = append(cells, f.cell(row, strings.Trim(key, `"'`))...)
	}
	return f.literals(cells)
}

// cell is what a row gives for a key: the name of an argument or of an attribute,
// or the number of an element.
func (f *finder) cell(row expr, key string) []expr {
	if len(row) == 0 || row[len(row)-1].kind != group || key == "" {
		return nil
	}
	for i, part := range f.split(f.inner(row[len(row)-1]), ",") {
		sign := slices.IndexFunc(part, func(t token) bool { return f.of(t.Span) == ":" || f.of(t.Span) == "=" })
		if sign > 0 && strings.Trim(f.read(part[:sign].span()), `"'`) == key {
			return []expr{part[sign+1:]}
		}
		if sign < 0 && len(key) == 1 && int(key[0]-'0') == i {
			return []expr{part}
		}
	}
	return nil
}

// literals is where the first literal of each of some expressions stands; nil if
// one that calls something has none.
func (f *finder) literals(cells []expr) []testrun.Span {
	var out []testrun.Span
	for _, c := range cells {
		e := f.literalIn(c)
		if e == nil {
			continue
		}
		out = append(out, e.span())
	}
	return out
}

// literalIn is the first literal of an expression that calls nothing but what
// converts.
func (f *finder) literalIn(e expr) expr {
	if value := f.converted(e); value != nil {
		e = value
	}
	for i, t := range e {
		switch {
		case t.kind == group && f.calledAt(e, i):
			return nil
		case t.kind == group:
			if lit := f.literalIn(f.inner(t)); lit != nil {
				return lit
			}
		case t.kind == number && f.is(e, i-1, "-"):
			return e[i-1 : i+1]
		case t.kind == number, t.kind == quoted, f.is(e, i, "True", "False"):
			return e[i : i+1]
		}
	}
	return nil
}

// calledAt reports whether brackets hold the arguments of a call, or a subscript.
func (f *finder) calledAt(e expr, i int) bool {
	return i > 0 && (e[i-1].kind == word || e[i-1].kind == group) && !f.is(e, i-1, keywords()...)
}

// keywords are words that no call begins with.
func keywords() []string {
	return strings.Fields("and or not in is if else return yield lambda await assert")
}

// part alters a part of an expression that is put together: a literal among its
// operands, or before its methods.
func (f *finder) part(e expr, to testrun.Way) alteration {
	if slices.ContainsFunc(e, func(t token) bool { return slices.Contains([]string{"**", "if", "for", "lambda"}, f.of(t.Span)) }) {
		return alteration{}
	}
	for i, t := range e {
		behind := i > 0 && (e[i-1].kind == word || e[i-1].kind == group || e[i-1].kind == quoted) // a call's arguments, a subscript
		literal := t.kind == number || t.kind == quoted && to == testrun.Other || t.kind == group && !behind && len(e) > 1
		if !literal {
			continue
		}
		if a := f.altered(e[i:i+1], to); a.edits != nil {
			return a
		}
	}
	return alteration{}
}

// spanOr is where an expression stands, or another span if it is empty.
func (e expr) spanOr(empty testrun.Span) testrun.Span {
	if len(e) == 0 {
		return empty
	}
	return e.span()
}
