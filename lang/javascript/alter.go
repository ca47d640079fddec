package javascript

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
)

// another makes another value of one whose type shows only when the test runs.
const another = `((v) => typeof v === "number" ? (Number.isFinite(v) ? v * 3 + 41 : 41) : typeof v === "bigint" ? v * 3n + 41n :` +
	` typeof v === "string" ? v + "~tdd" : typeof v === "boolean" ? !v : v instanceof RegExp ? /(?!)/ : typeof v === "function" ? class extends Error {} : [v, "~tdd"])(`

// maxDepth is how deep values may stand in each other: names can go round in
// circles.
const maxDepth = 32

// altered is another value than one that is written out: in place, or where a name
// is used that stands for such a value, in a constant or in the rows of a table.
func (f *finder) altered(p part, to testrun.Way, s scope) []testrun.Edit {
	if f.depth++; f.depth > maxDepth {
		f.depth--
		return nil
	}
	defer func() { f.depth-- }()
	p = f.bare(p)
	switch {
	case p.empty():
		return nil
	case p.to == p.from+1:
		return f.single(p, to, s)
	case p.to == p.from+2 && f.at(p.from) == "-" && f.kind(p.from+1) == numberKind:
		return f.replace(p, "("+f.text(p)+arithmetic(f.at(p.from+1), to)+")")
	case f.mate[p.from] == p.to-1 && f.at(p.from) == "[":
		return f.element(p, s)
	case f.mate[p.from] == p.to-1 && f.at(p.from) == "{":
		return f.property(p, s)
	}
	if args, ok := f.converted(p); ok {
		return f.first(args, to, s)
	}
	if operator := f.find(p, "+", "-", "*"); operator > p.from && f.find(p, "=>", "?", "==", "===", "&&", "||", "??") < 0 {
		return f.first(f.split(p, f.at(operator)), to, s)
	}
	return f.named(p, to, s)
}

// first alters the first of some expressions that is written out.
func (f *finder) first(list []part, to testrun.Way, s scope) []testrun.Edit {
	for _, p := range list {
		if edits := f.altered(p, to, s); edits != nil {
			return edits
		}
	}
	return nil
}

// last alters the last one.
func (f *finder) last(list []part, s scope) []testrun.Edit {
	list = slices.Clone(list)
	slices.Reverse(list)
	return f.first(list, testrun.Other, s)
}

// single alters an expression of one token.
func (f *finder) single(p part, to testrun.Way, s scope) []testrun.Edit {
	text := f.text(p)
	switch f.kind(p.from) {
	case numberKind:
		return f.replace(p, "("+text+arithmetic(text, to)+")")
	case textKind, templateKind:
		return f.replace(p, "("+text+` + "~tdd")`)
	case patternKind:
		return f.replace(p, "/(?!)/")
	case wordKind:
		switch text {
		case "true", "false":
			return f.replace(p, map[string]string{"true": "false", "false": "true"}[text])
		case "null", "undefined":
			return f.replace(p, `"~tdd"`)
		case "NaN", "Infinity":
			return f.replace(p, "41")
		}
		return f.named(p, to, s)
	case signKind, commentKind:
	}
	return nil
}

// arithmetic makes another number of one.
func arithmetic(number string, to testrun.Way) string {
	n := ""
	if strings.HasSuffix(number, "n") {
		n = "n"
	}
	switch to {
	case testrun.Up:
		return " + 1000000000000000" + n
	case testrun.Down:
		return " - 1000000000000000" + n
	case testrun.Other:
	}
	return " * 3" + n + " + 41" + n
}

// element alters a list: what is written out in it, or its length if it is empty.
func (f *finder) element(p part, s scope) []testrun.Edit {
	if f.inside(p.from).empty() {
		return f.replace(p, `["~tdd"]`)
	}
	return f.first(f.args(p.from), testrun.Other, s)
}

// property alters an object likewise.
func (f *finder) property(p part, s scope) []testrun.Edit {
	if f.inside(p.from).empty() {
		return f.replace(p, `{ tdd: "~tdd" }`)
	}
	var values []part
	for _, p := range f.args(p.from) {
		if colon := f.find(p, ":"); colon > p.from {
			values = append(values, part{colon + 1, p.to})
		}
	}
	return f.first(values, testrun.Other, s)
}

// converted lists the arguments of a call that only makes a value of them: a
// constructor, a conversion of the language's own, or an asymmetric matcher.
func (f *finder) converted(p part) ([]part, bool) {
	at := p.from
	if f.at(at) == "new" {
		at++
	}
	first := at
	for _, l := range f.chain(at + 1) {
		at = l.name
	}
	name := f.text(part{first, at + 1})
	open := f.arguments(at + 1)
	if open < 0 || f.mate[open] != p.to-1 {
		return nil, false
	}
	return f.args(open), first > p.from || slices.Contains(strings.Fields(`Buffer.from BigInt Number String Error TypeError RangeError Symbol.for Object.freeze
		JSON.stringify Uint8Array.from Uint8Array.of Array.of Array.from Promise.resolve
		expect.objectContaining expect.arrayContaining expect.stringContaining expect.stringMatching expect.closeTo sinon.match`), name)
}

// named alters the use of a name, or of a member of what a name stands for, if that
// is written out. The values that it stands for are told as they are.
func (f *finder) named(p part, to testrun.Way, s scope) []testrun.Edit {
	values := f.standsFor(p, s)
	if len(values) == 0 {
		return nil
	}
	var told []testrun.Edit
	for _, v := range values {
		edits := f.altered(v, to, scope{})
		if edits == nil {
			return nil // computed
		}
		for _, e := range edits {
			if e.Start < e.End {
				told = append(told, testrun.Edit{Span: e.Span, Text: f.src[e.Start:e.End]})
			}
		}
	}
	switch to {
	case testrun.Up:
		return append(f.around(p, "(", " + 1e15)"), told...)
	case testrun.Down:
		return append(f.around(p, "(", " - 1e15)"), told...)
	case testrun.Other:
	}
	return append(f.around(p, another, ")"), told...)
}

// standsFor lists the values that a name, or a member of one, stands for.
func (f *finder) standsFor(p part, s scope) []part {
	if f.kind(p.from) != wordKind {
		return nil
	}
	b, bound := s.bound[f.at(p.from)]
	if !bound {
		value, ok := f.value(f.at(p.from), p.from)
		if !ok || value.from <= p.from && p.from < value.to {
			return nil
		}
		b.rows = []part{value}
	}
	for at := p.from + 1; at < p.to; {
		switch {
		case (f.at(at) == "." || f.at(at) == "?.") && f.kind(at+1) == wordKind:
			b, at = f.column(b, f.at(at+1)), at+2
		case f.at(at) == "[" && f.mate[at] == at+2 && f.kind(at+1) != wordKind:
			b, at = f.column(b, strings.Trim(f.at(at+1), `'"`)), at+3
		case f.at(at) == "[" && f.mate[at] < p.to:
			b, at = f.cells(b), f.mate[at]+1
		default:
			return nil
		}
	}
	return b.rows
}
