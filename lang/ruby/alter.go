package ruby

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// anotherValue is another value of the type of the value that it is called with:
// what that type is shows only at run time.
const anotherValue = `->(v) { case v; when true then false; when false then true; when Integer then v + 41; when Float then -1.5 * v - 41.5; ` +
	`when String then v + "~tdd"; when Symbol then :"#{v}~tdd"; when Array then v + ["~tdd"]; when Hash then v.merge("~tdd" => 41); else Object.new; end }`

// another puts another value in the place of an expression.
func another(f *finder, at syntax.Span) []syntax.Edit {
	return []syntax.Edit{{Span: at, Text: anotherValue + ".call(" + f.read(at) + ")"}}
}

var (
	numberPattern = lazyregexp.New(`^-?\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?`)
	stringPattern = lazyregexp.New(`^(?:"_*"|'_*'|%[qQ]?[(\[{|]_*[)\]}|])`)
	wordsPattern  = lazyregexp.New(`^%[wWiI][(\[{|<]_*[)\]}|>]$`)
	symbolPattern = lazyregexp.New(`^:[a-z_]\w*$`)
	namePattern   = lazyregexp.New(`^[A-Za-z_]\w*$`)
)

// altered is another value than one that is written out: where it stands, or where
// the variable that holds it is used. It also says where values are written out that
// are altered elsewhere.
func (f *finder) altered(at syntax.Span, to syntax.Way) ([]syntax.Edit, []syntax.Span) {
	if at.End <= at.Start {
		return nil, nil
	}
	masked := f.masked[at.Start:at.End]
	replaced := func(size int, text string) ([]syntax.Edit, []syntax.Span) {
		return []syntax.Edit{{Span: syntax.Span{Start: at.Start, End: at.Start + size}, Text: text}}, nil
	}
	if number := numberPattern.FindString(masked); number != "" {
		return replaced(len(number), "("+number+[]string{syntax.Other: " + 41", syntax.Up: " + 2**30", syntax.Down: " - 2**30"}[to]+")")
	}
	if to != syntax.Other {
		return f.held(at, masked, to)
	}
	switch quoted := stringPattern.FindString(masked); {
	case quoted != "":
		return replaced(len(quoted), "("+f.text[at.Start:at.Start+len(quoted)]+` + "~tdd")`)
	case masked == "true" || masked == "false":
		return replaced(len(masked), map[string]string{"true": "false", "false": "true"}[masked])
	case symbolPattern.MatchString(masked):
		return replaced(len(masked), masked+"_tdd")
	case wordsPattern.MatchString(masked):
		return replaced(len(masked), "("+f.read(at)+` + ["~tdd"])`)
	case masked[0] == '[' || masked[0] == '{' || masked[0] == '(':
		return f.container(at, masked)
	}
	return f.held(at, masked, to)
}

// container alters the first value that is written out in brackets.
func (f *finder) container(at syntax.Span, masked string) ([]syntax.Edit, []syntax.Span) {
	if scan.Closing(f.masked, at.Start) != at.End {
		return nil, nil
	}
	parts := f.split(at.Start+1, at.End-1)
	if len(parts) == 0 && masked[0] != '(' {
		return []syntax.Edit{{Span: at, Text: map[byte]string{'[': `["~tdd"]`, '{': `{"~tdd" => 41}`}[masked[0]]}}, nil
	}
	for _, p := range parts {
		if key := keyPattern.FindString(f.masked[p.Start:p.End]); key != "" {
			p.Start += len(key)
		}
		if edits, values := f.altered(p, syntax.Other); edits != nil {
			return edits, values
		}
	}
	return nil, nil
}

var keyPattern = lazyregexp.New(`^(?:\w+: |[^=,()\[\]{}]+=> ?)\s*`)

// held alters a variable where it is used, if what it holds is written out once.
func (f *finder) held(at syntax.Span, name string, to syntax.Way) ([]syntax.Edit, []syntax.Span) {
	if !namePattern.MatchString(name) {
		return nil, nil
	}
	values := f.written(name)
	if len(values) == 0 {
		return nil, nil
	}
	switch to {
	case syntax.Up:
		return []syntax.Edit{{Span: at, Text: "(" + name + " + 2**30)"}}, values
	case syntax.Down:
		return []syntax.Edit{{Span: at, Text: "(" + name + " - 2**30)"}}, values
	case syntax.Other:
	}
	return another(f, at), values
}

var (
	givenPattern = lazyregexp.New(`^\s*(?:let!?\(:(\w+)\)\s*\{\s*|(\w+)\s*(?:[-+*/|]|\|\|)?=\s*)`)
	eachPattern  = lazyregexp.New(`\.(?:each|each_pair|map)\s*(?:do|\{)\s*\|([\w, ()]+)\|`)
)

// given is the variable that a statement gives a value, and where that stands.
func given(line scan.Line) (name string, value syntax.Span) {
	hit := givenPattern.FindStringSubmatchIndex(line.Masked)
	if hit == nil {
		return "", value
	}
	at := max(hit[2], hit[4])
	return line.Masked[at:max(hit[3], hit[5])], syntax.Span{Start: line.Start + hit[1], End: line.Start + len(strings.TrimRight(line.Masked, " }\n"))}
}

// written is where the values are written out that a variable has: in the only
// place where it gets one, or in a column of the table that a block goes through.
func (f *finder) written(name string) []syntax.Span {
	var out []syntax.Span
	times := 0
	for _, line := range f.lines {
		inAnother := line.Indent > f.fn.indent && (line.Start < f.fn.body.Start || line.Start > f.fn.body.End)
		if variable, value := given(line); variable == name && !inAnother {
			times++
			out = append(out, f.literal(value)...)
		}
		if cells, ok := f.column(line, name); ok {
			times++
			out = append(out, cells...)
		}
	}
	if times != 1 {
		return nil
	}
	return out
}

// column is where the values are written out that a variable has in a block that
// goes through a table; ok is false if a statement begins no such block.
func (f *finder) column(line scan.Line, name string) (out []syntax.Span, ok bool) {
	hit := eachPattern.FindStringSubmatchIndex(line.Masked)
	if hit == nil {
		return nil, false
	}
	names := strings.FieldsFunc(line.Masked[hit[2]:hit[3]], func(r rune) bool { return strings.ContainsRune(", ()", r) })
	column := slices.Index(names, name)
	if column < 0 {
		return nil, false
	}
	for _, row := range f.rows(syntax.Span{Start: line.Start + len(line.Masked) - len(strings.TrimLeft(line.Masked, " \t\n")), End: line.Start + hit[0]}) {
		if cells := f.cells(row, len(names)); column < len(cells) {
			out = append(out, f.literal(cells[column])...)
		}
	}
	return out, true
}

// rows are the rows of a table that is written out, or that a constant holds.
func (f *finder) rows(table syntax.Span) []syntax.Span {
	name := f.read(table)
	for _, line := range f.lines {
		if variable, value := given(line); variable == name {
			table = value
		}
	}
	if table.Start >= table.End || strings.IndexByte("[{", f.masked[table.Start]) < 0 {
		return nil
	}
	return f.split(table.Start+1, scan.Closing(f.masked, table.Start)-1)
}

// cells are the cells of a row.
func (f *finder) cells(row syntax.Span, of int) []syntax.Span {
	masked := f.masked[row.Start:row.End]
	switch arrow := strings.Index(masked, "=>"); {
	case of == 1:
		return []syntax.Span{row}
	case masked[0] == '[':
		return f.split(row.Start+1, row.End-1)
	case arrow > 0:
		return append(f.split(row.Start, row.Start+arrow), f.split(row.Start+arrow+2, row.End)...)
	}
	return nil
}

// literal is where a literal stands, if an expression is one.
func (f *finder) literal(at syntax.Span) []syntax.Span {
	if at.End <= at.Start {
		return nil
	}
	masked := f.masked[at.Start:at.End]
	size := max(len(numberPattern.FindString(masked)), len(stringPattern.FindString(masked)))
	if size == 0 && (masked == "true" || masked == "false" || symbolPattern.MatchString(masked) || wordsPattern.MatchString(masked)) {
		size = len(masked)
	}
	if size > 0 {
		return []syntax.Span{{Start: at.Start, End: at.Start + size}}
	}
	if masked[0] == '[' || masked[0] == '{' {
		for _, p := range f.split(at.Start+1, min(at.End, scan.Closing(f.masked, at.Start))-1) {
			if found := f.literal(p); found != nil {
				return found
			}
		}
	}
	return nil
}
