package syntax

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// maxDepth is how deep values may stand in each other, and how many names may stand for
// names: they can go round in circles.
const maxDepth = 8

// Core is an expression without what only gives it another type.
func (f *Finder) Core(e Expr) Expr {
	if f.page.Values.Core == nil || e.Empty() {
		return e
	}
	return f.page.Values.Core(f.Tree, e)
}

// Altered is another value than one that is written out: in place, or where a name is
// given it or is used that stands for such a value. It is nil if the value is computed.
func (f *Finder) Altered(e Expr, to Way) []Edit {
	f.depth++
	defer func() { f.depth-- }()
	switch e = f.Core(e); {
	case e.Empty(), f.depth > maxDepth:
		return nil
	case e.To == e.From+1:
		return f.single(e, to)
	case e.Where(func(i int) bool { return f.Kind(i) != Text }) < 0: // side by side
		return f.literal(e, Text, to)
	case f.Is(e.From, "-", "+") && f.Kind(e.From+1) == Number && e.To == e.From+2:
		return f.literal(e, Number, to)
	case f.Whole(e):
		return f.element(f.Word(e.From), e, f.Args(e.From))
	}
	if parts, ok := f.makes(e, f.making); ok {
		return f.element(f.Word(e.From), e, parts)
	}
	for _, operator := range []string{"+", "-", "*", f.page.Values.Joins} {
		if parts := f.Split(e, operator); operator != "" && len(parts) > 1 && f.Find(e, "?", "==", "&&", "||", "=>", "->") < 0 {
			return f.First(parts, to)
		}
	}
	if edits := f.named(e, to); edits != nil || f.page.Values.Rest == nil {
		return edits
	}
	return f.page.Values.Rest(f, e, to)
}

func (f *Finder) makes(e Expr, how Making) ([]Expr, bool) {
	if f.page.Values.Makes == nil || e.Empty() {
		return nil, false
	}
	return f.page.Values.Makes(f.Tree, e, how)
}

// single alters an expression of one token.
func (f *Finder) single(e Expr, to Way) []Edit {
	if other, ok := f.page.Values.Words[f.Word(e.From)]; ok {
		return f.Replace(e, other)
	}
	if f.Named(e.From) {
		return f.named(e, to)
	}
	return f.literal(e, f.Kind(e.From), to)
}

func (f *Finder) literal(e Expr, kind Kind, to Way) []Edit {
	if kind == Sign {
		return nil
	}
	other := f.page.Values.Literal(kind, f.Source(e), to)
	if plain := plainly(kind, f.Source(e), to); plain != "" && f.page.Values.Another != "" && other != "" {
		other = plain
	}
	if other == "" {
		return nil
	}
	return f.Replace(e, other)
}

var wholePattern = lazyregexp.New(`^-?(?:0|[1-9]\d{0,8})$`)

// plainly is another literal than a whole number or a text between quotes that reads like
// one: whoever reads the file of a test sees nothing that was added to it; empty for all
// others.
func plainly(kind Kind, text string, to Way) string {
	quote := text[len(text)-1:]
	switch {
	case kind == Number && wholePattern.MatchString(text):
		n, _ := strconv.Atoi(text)
		if n += map[Way]int{Other: 41, Up: 1 << 30, Down: -1 << 30}[to]; n < 0 {
			return "(" + strconv.Itoa(n) + ")"
		}
		return strconv.Itoa(n)
	case kind != Text || to != Other || strings.Count(text, quote) < 2 || !strings.Contains("\"'`", quote):
		return ""
	}
	if more := moreDigits(text); more != "" {
		return more
	}
	if triple := strings.Repeat(quote, 3); strings.HasSuffix(text, triple) && len(text) >= 6 {
		quote = triple
	}
	return strings.TrimSuffix(text, quote) + "~tdd" + quote
}

// numeralPattern matches a text that begins with a number, up to its first digit.
var numeralPattern = lazyregexp.New("^[\"'`][-+]?\\d")

// moreDigits is another text than one that begins with a number, with another number: what reads
// a number from it may not look at what follows. It is empty for all others.
func moreDigits(text string) string {
	begin := numeralPattern().FindString(text)
	if begin == "" {
		return ""
	}
	return begin[:len(begin)-1] + "4" + text[len(begin)-1:]
}

// element alters the first of several values that is written out; a name counts only if
// there is no other. An empty list is made another one.
func (f *Finder) element(bracket string, e Expr, parts []Expr) []Edit {
	if empty := f.page.Values.Empty[bracket]; len(parts) == 0 && empty != "" {
		return f.Replace(e, empty)
	}
	dynamic := f.page.Values.Another != ""
	var names []Expr // come last
	for _, part := range parts {
		value, keyed := f.Entry(part), f.key(part) != ""
		bare := f.Core(value)
		switch name := bare.To == bare.From+1 && f.Named(bare.From) && f.page.Values.Words[f.Word(bare.From)] == ""; {
		case name && dynamic && bracket == "{" && !keyed: // it is the key
		case name && len(parts) > 1:
			names = append(names, value)
		default:
			if edits := f.Altered(value, Other); edits != nil {
				return edits
			}
		}
	}
	if !dynamic {
		return nil
	}
	return f.First(names, Other)
}

// First alters the first of some expressions that is written out.
func (f *Finder) First(list []Expr, to Way) []Edit {
	for _, e := range list {
		if edits := f.Altered(e, to); edits != nil {
			return edits
		}
	}
	return nil
}

// Last alters the last one. A value that a constructor makes comes after those that are
// plain.
func (f *Finder) Last(list []Expr) []Edit {
	list = slices.Clone(list)
	slices.Reverse(list)
	if edits := f.First(list, Other); edits != nil || f.making == Loosely || f.page.Values.Another != "" {
		return edits
	}
	f.making = Loosely
	defer func() { f.making = Plainly }()
	return f.First(list, Other)
}

// Literals alters the first literal that stands in an expression, however deep.
func (f *Finder) Literals(e Expr) []Edit {
	first := e.Where(func(i int) bool { return f.Literal(i) && !f.Is(i-1, ".") || f.page.Values.Words[f.Word(i)] != "" })
	if first < 0 {
		return nil
	}
	return f.single(Expr{first, first + 1}, Other)
}

// named alters what a name, or a part of what it stands for, was given.
func (f *Finder) named(e Expr, to Way) []Edit {
	values := f.standsFor(e)
	if len(values) == 0 {
		return nil
	}
	another, nothing, words := f.page.Values.Another, f.page.Values.Nothing, f.page.Values.Words
	computed := func(i int) bool { return f.Named(i) && words[f.Word(i)] == "" && f.Word(i) != nothing }
	var out []Edit
	for _, v := range values {
		if nothing != "" && f.Source(v) == nothing {
			continue
		}
		edits := f.Altered(v, to)
		if edits == nil && another != "" && v.Where(computed) >= 0 {
			return nil
		}
		f.partial = f.partial || edits == nil && len(values) > 1
		out = append(out, edits...)
	}
	if another == "" || out == nil {
		return out
	}
	behind := map[Way]string{Up: " + " + f.page.Values.Far, Down: " - " + f.page.Values.Far}[to]
	if to != Other {
		another = ""
	}
	return append(f.Wrap(e, another+"(", behind+")"), f.told(out)...)
}

// told are edits that leave the values where they are written out as they are.
func (f *Finder) told(edits []Edit) []Edit {
	edits = slices.DeleteFunc(edits, func(e Edit) bool { return e.Start == e.End })
	for i, e := range edits {
		edits[i].Text = f.Text[e.Start:e.End]
	}
	return edits
}

// standsFor lists the values that a name, or a part of one, stands for.
func (f *Finder) standsFor(e Expr) []Expr {
	if !f.Named(e.From) {
		return nil
	}
	from := e.From
	if slices.Contains(f.page.Values.Self, f.Word(from)) && from+2 < e.To {
		from += 2 // self::NAME
	}
	rows, bound := f.bound[f.Word(from)]
	if !bound {
		value, ok := f.Given(f.Word(from), from)
		if !ok || value.From <= from && from < value.To || !f.InTests(value.From) {
			return nil
		}
		rows = []Expr{value}
	}
	for at := from + 1; at < e.To; {
		switch {
		case f.Is(at, ".", "?.", "->"):
			rows, at = f.Column(rows, f.Word(at+1)), at+2
		case f.Is(at, "[") && f.Group(at) == at+3 && f.Literal(at+1):
			rows, at = f.Column(rows, strings.Trim(f.Word(at+1), "\"'`")), at+3
		case f.Is(at, "["): // any of them
			rows, at = f.all(rows), f.Group(at)
		default:
			return nil
		}
	}
	return rows
}

// all lists all that stands in some rows.
func (f *Finder) all(rows []Expr) []Expr {
	var out []Expr
	for _, row := range rows {
		for _, cell := range f.cells(row) {
			out = append(out, f.Entry(cell))
		}
	}
	return out
}
