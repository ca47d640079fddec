package javascript

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// scope is where a piece of code stands.
type scope struct {
	path  []string           // the titles of the suites and of the test around it
	test  int                // where the test around it begins; -1 where there is none
	bound map[string]binding // what its loops and its table give names to
}

// binding is what a name stands for: in each case the same part of another row.
type binding struct{ rows []part }

func (s scope) name() string { return strings.Join(s.path, "::") }

// in is a scope within.
func (s scope) in(title string) scope {
	s.path = append(slices.Clone(s.path), title)
	return s
}

// with is a scope in which names are bound.
func (s scope) with(names map[string]binding) scope {
	s.bound = maps.Clone(s.bound)
	if s.bound == nil {
		s.bound = map[string]binding{}
	}
	maps.Copy(s.bound, names)
	return s
}

// call is a call that declares a test or a suite.
type call struct {
	suite bool
	args  []part
	rows  []part // of its table
	whole bool   // a row is one argument
	open  int    // the bracket of its arguments
}

// declares reads a call that declares a test or a suite.
func (c *code) declares(i int) (call, bool) {
	var out call
	switch name := c.at(i); {
	case c.kind(i) != wordKind:
		return out, false
	case slices.Contains([]string{"test", "it", "specify", "fit", "xit", "xtest"}, name):
	case slices.Contains([]string{"describe", "suite", "context", "fdescribe", "xdescribe"}, name):
		out.suite = true
	default:
		return out, false
	}
	if c.at(i-1) == "." && !c.ofTest(i-2) || slices.Contains([]string{"function", "const", "let", "var", "?."}, c.at(i-1)) {
		return out, false
	}
	if out.open = c.arguments(c.modified(i+1, &out)); out.open < 0 {
		return out, false
	}
	out.args = c.args(out.open)
	return out, len(out.args) > 1 || len(out.args) == 1 && c.kind(out.args[0].from) == textKind
}

// modified goes over what modifies a declaration, as .only and .each(table), and
// returns the place behind it.
func (c *code) modified(at int, d *call) int {
	for c.at(at) == "." && c.kind(at+1) == wordKind {
		modifier := c.at(at + 1)
		at += 2
		switch open := c.arguments(at); {
		case modifier == "extend":
			return len(c.toks)
		case open < 0 && c.kind(at) == templateKind:
			at++ // a table in a template: what is in it is not followed
		case open >= 0 && (modifier == "each" || modifier == "for"):
			d.rows, d.whole = c.rows(c.inside(open), open), modifier == "for"
			at = c.mate[open] + 1
		case open >= 0 && (modifier == "skipIf" || modifier == "runIf"):
			at = c.mate[open] + 1
		}
	}
	return at
}

// ofTest reports whether a name is one that tests call the test itself by.
func (c *code) ofTest(i int) bool {
	return slices.Contains([]string{"t", "ctx", "context", "test", "nodeTest", "vitest", "mocha", "st", "Deno"}, c.at(i))
}

// rows are the rows of a table, which stands at a place or in a constant.
func (c *code) rows(p part, use int) []part {
	p = c.resolved(c.bare(p), use)
	switch {
	case p.empty():
		return nil
	case c.at(p.from) == "[" && c.mate[p.from] == p.to-1:
		return c.args(p.from)
	case c.at(p.from) == "Object" && c.at(p.from+2) == "entries" && c.at(p.from+3) == "(" && c.mate[p.from+3] == p.to-1:
		table := c.resolved(c.bare(c.inside(p.from+3)), use)
		if !table.empty() && c.at(table.from) == "{" && c.mate[table.from] == table.to-1 {
			return c.args(table.from) // each "key: value"
		}
	}
	return nil
}

// cell is what a row gives for a column: its number or its key. Nothing where that
// cannot be told.
func (c *code) cell(row part, column string) part {
	row = c.bare(row)
	if row.empty() {
		return row
	}
	whole, n := c.mate[row.from] == row.to-1, -1
	if at, err := strconv.Atoi(column); err == nil {
		n = at
	}
	var cells []part
	switch {
	case whole && c.at(row.from) == "{":
		return c.entry(row, column)
	case whole && c.at(row.from) == "[":
		cells = c.args(row.from)
	default:
		cells = c.split(row, ":") // an entry of an object
	}
	if n < 0 || n >= len(cells) {
		return part{}
	}
	return cells[n]
}

// entry is the value of a key of an object.
func (c *code) entry(object part, key string) part {
	for _, p := range c.args(object.from) {
		if c.at(p.from+1) == ":" && strings.Trim(c.at(p.from), `'"`) == key {
			return part{p.from + 2, p.to}
		}
	}
	return part{}
}

// column is the binding of a part of the rows.
func (c *code) column(b binding, column string) binding {
	var out binding
	for _, row := range b.rows {
		if p := c.cell(row, column); !p.empty() {
			out.rows = append(out.rows, p)
		}
	}
	return out
}

// cells is all that the rows hold.
func (c *code) cells(b binding) binding {
	var out binding
	for _, row := range b.rows {
		if row = c.bare(row); row.empty() || c.mate[row.from] != row.to-1 {
			return binding{}
		}
		for _, cell := range c.args(row.from) {
			if colon := c.find(cell, ":"); c.at(row.from) == "{" && colon > cell.from {
				cell.from = colon + 1
			}
			out.rows = append(out.rows, cell)
		}
	}
	return out
}

// bind gives the names in a parameter what rows hold.
func (c *code) bind(param part, b binding) map[string]binding {
	out := map[string]binding{}
	if at := c.find(param, ":", "="); at > param.from {
		param.to = at // its type, or what it is if it is left out
	}
	switch {
	case param.empty():
	case c.kind(param.from) == wordKind:
		out[c.at(param.from)] = b
	case c.at(param.from) == "[":
		for n, p := range c.args(param.from) {
			maps.Copy(out, c.bind(p, c.column(b, strconv.Itoa(n))))
		}
	case c.at(param.from) == "{":
		for _, p := range c.args(param.from) {
			key, inner := c.at(p.from), part{p.from, p.from + 1}
			if c.at(p.from+1) == ":" {
				inner = part{p.from + 2, p.to}
			}
			maps.Copy(out, c.bind(inner, c.column(b, key)))
		}
	}
	return out
}

// params are the parameters of a function that is written out at a place.
func (c *code) params(fn part) []part {
	for i := fn.from; i < fn.to; i++ {
		switch s := c.at(i); {
		case s == "(":
			return c.args(i)
		case s == "=>":
			return []part{{i - 1, i}}
		case c.kind(i) != wordKind && s != "*":
			return nil
		}
	}
	return nil
}

// tabled binds what a call's table gives the parameters of its function.
func (c *code) tabled(d call) map[string]binding {
	out := map[string]binding{}
	if len(d.rows) == 0 || len(d.args) < 2 {
		return out
	}
	b := binding{d.rows}
	params := c.params(d.args[len(d.args)-1])
	if len(params) == 0 {
		return out
	}
	if first := c.bare(d.rows[0]); d.whole || first.empty() || c.at(first.from) != "[" {
		return c.bind(params[0], b)
	}
	for n, p := range params {
		maps.Copy(out, c.bind(p, c.column(b, strconv.Itoa(n))))
	}
	return out
}

// looped binds what a loop at a place goes through: for (const x of rows), or
// rows.forEach(x => …). The part is the loop's body.
func (c *code) looped(i int) (map[string]binding, part) {
	switch {
	case c.at(i) == "for" && c.at(i+1) == "(":
		head := c.inside(i + 1)
		of := c.find(head, "of")
		if of < head.from+2 {
			return nil, part{}
		}
		body := part{head.to + 1, c.expressionEnd(head.to + 1)}
		if c.at(body.from) == "{" {
			body.to = c.mate[body.from] + 1
		}
		return c.bind(part{head.from + 1, of}, binding{c.rows(part{of + 1, head.to}, i)}), body
	case c.at(i) == "." && (c.at(i+1) == "forEach" || c.at(i+1) == "map") && c.at(i+2) == "(":
		args := c.args(i + 2)
		if len(args) == 0 {
			return nil, part{}
		}
		if params := c.params(args[0]); len(params) > 0 {
			return c.bind(params[0], binding{c.rows(part{c.begin(i - 1), i}, i)}), args[0]
		}
	}
	return nil, part{}
}

// begin is where a table begins that ends with a token: a list, a name, or the
// entries of an object.
func (c *code) begin(last int) int {
	from := last
	if s := c.at(last); (s == "]" || s == ")") && c.mate[last] < last {
		from = c.mate[last]
	}
	if c.at(from-1) == "entries" {
		from -= 3
	}
	return max(0, from)
}
