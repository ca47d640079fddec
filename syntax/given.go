package syntax

import (
	"maps"
	"strconv"
	"strings"
)

// given is what a name is given at a place.
type given struct {
	at       int
	declared bool
	value    Expr
}

// Given is what a name was given, as it is seen from a place; ok is false if that is not
// known, or if it was given more than one thing.
func (t *Tree) Given(name string, use int) (value Expr, ok bool) {
	if t.given == nil {
		t.assignments()
	}
	block, found := -2, Expr{}
	for _, g := range t.given[name] {
		inner := t.blocks[g.at]
		if !g.declared || inner < block || inner >= 0 && (use < inner || use > t.blockEnd(inner)) {
			continue
		}
		block, found = inner, g.value
	}
	if block == -2 {
		return Expr{}, false
	}
	return t.only(name, block, found)
}

// only is what a name that is declared in a block was given there, or later. It is known if
// that was given once, or if the name is declared once at the top of a file, and given nothing
// later: functions may have others of that name.
func (t *Tree) only(name string, block int, found Expr) (value Expr, known bool) {
	times, top, later := 0, 0, false
	for _, g := range t.given[name] {
		later = later || !g.declared
		if t.blocks[g.at] < 0 {
			top++
		}
		bare := g.declared && g.value == Expr{}
		if !bare && (block < 0 || block < g.at && g.at < t.blockEnd(block)) {
			times++
			if found == (Expr{}) {
				found = g.value
			}
		}
	}
	return found, times == 1 || block < 0 && top == 1 && !later
}

// assignments notes what all names are given.
func (t *Tree) assignments() {
	t.given = map[string][]given{}
	for i := range t.tokens {
		if t.page.Named != nil {
			name, value := t.page.Named(t, i)
			t.given[name] = append(t.given[name], given{i, true, value})
		}
		if !t.Named(i) || t.Is(i-1, ".") || t.page.Keywords && t.Is(t.around[i], "(") {
			continue
		}
		if g, ok := t.assignment(i); ok {
			t.given[t.Word(i)] = append(t.given[t.Word(i)], g)
		}
	}
}

// assignment is what the name at token i is given there, if it is given or bound to
// anything.
func (t *Tree) assignment(i int) (g given, ok bool) {
	if gives := t.page.Gives; gives != nil {
		g.at = i
		g.value, g.declared, ok = gives(t, i)
		return g, ok
	}
	if t.page.Changes != nil && t.page.Changes(t, i) {
		return given{at: i}, true
	}
	declared, at := t.declares(i), i+1
	if declared && t.Is(at, ":") { // its type
		at = t.Find(Expr{i + 2, min(len(t.tokens), i+40)}, "=")
	}
	switch s := t.Word(at); {
	case s == "=":
		return given{i, declared, Expr{at + 1, t.ValueEnd(at + 1)}}, true
	case len(s) > 1 && strings.HasSuffix(s, "=") && strings.IndexByte("=!<>", s[0]) < 0, s == "++", s == "--":
		return given{at: i}, true
	}
	return g, false
}

// declares reports whether token i is a name that is declared there. See [Page.Declares].
func (t *Tree) declares(i int) bool { return t.page.Declares != nil && t.page.Declares(t, i) }

// ValueEnd is the place behind the value that begins at token i, or the statement.
func (t *Tree) ValueEnd(i int) int {
	if t.page.Heads == nil {
		return t.End(i)
	}
	end := t.LineEnd(i)
	if semicolon := t.Find(Expr{i, end}, ";"); semicolon > 0 {
		return semicolon
	}
	return end
}

// Rows are the rows of a table that stands at a place, or of one that a name was given.
func (f *Finder) Rows(table Expr, use int) []Expr {
	table = f.Resolved(table, use)
	if f.Whole(table) {
		return f.Args(table.From)
	}
	rows, _ := f.makes(table, Loosely)
	return rows
}

// Resolved is what a name was given, as it is seen from a place; any other expression as
// it is.
func (f *Finder) Resolved(e Expr, use int) Expr {
	e = f.Core(e)
	if e.To == e.From+1 && f.Named(e.From) {
		if value, ok := f.Given(f.Word(e.From), use); ok {
			return f.Core(value)
		}
	}
	return e
}

// cells are the parts of a row: of a list or of what a call puts together, or the key and
// the value of an entry.
func (f *Finder) cells(row Expr) []Expr {
	row = f.Core(row)
	if f.Whole(row) {
		return f.Args(row.From)
	}
	if cells, ok := f.makes(row, Loosely); ok {
		return cells
	}
	if value := f.Entry(row); value.From > row.From {
		return []Expr{{row.From, value.From - 1}, value}
	}
	return nil
}

// Entry is an entry of a list, or a row of a table, without its key.
func (f *Finder) Entry(entry Expr) Expr {
	for _, mark := range f.page.Values.Keys {
		if at := f.Find(entry, mark); at > entry.From && at < entry.To {
			entry.From = at + 1
		}
	}
	return entry
}

// key is the key of an entry; empty if it has none.
func (f *Finder) key(entry Expr) string {
	if value := f.Entry(entry); value.From > entry.From {
		return strings.Trim(f.Source(Expr{entry.From, value.From - 1}), `'" .`)
	}
	return ""
}

// Column lists what rows hold in the column that a number or a key names.
func (f *Finder) Column(rows []Expr, column string) []Expr {
	var out []Expr
	var fields []string
	if f.page.Values.Fields != nil && len(rows) > 0 {
		fields = f.page.Values.Fields(f.Tree, rows[0])
	}
	for _, row := range rows {
		for n, cell := range f.cells(row) {
			key := f.key(cell)
			if key == "" && n < len(fields) {
				key = fields[n]
			}
			if key == column && key != "" || key == "" && strconv.Itoa(n) == column {
				out = append(out, f.Entry(cell))
				break
			}
		}
	}
	return out
}

// Bind binds a name to what stands in the rows of a table.
func (f *Finder) Bind(name string, rows []Expr) { f.bound[name] = rows }

// BindAll binds the names in a pattern, as a, [a, b], (a, b), a, b and {a, b: c}, to what
// stands at their places in the rows of a table.
func (f *Finder) BindAll(pattern Expr, rows []Expr) {
	if at := f.Find(pattern, ":", "="); at > pattern.From && at < pattern.To {
		pattern.To = at // its type, or what it is if it is left out
	}
	switch pattern = f.Core(pattern); {
	case pattern.Empty():
	case len(f.Split(pattern, ",")) > 1:
		f.BindEach(f.Split(pattern, ","), rows)
	case f.Named(pattern.From) && pattern.To == pattern.From+1:
		f.Bind(f.Word(pattern.From), rows)
	case f.Is(pattern.From, "{"):
		for _, part := range f.Args(pattern.From) {
			inner := Expr{part.From, part.From + 1}
			if f.Is(part.From+1, ":") {
				inner = Expr{part.From + 2, part.To}
			}
			f.BindAll(inner, f.Column(rows, f.Word(part.From)))
		}
	case f.Opens(pattern.From):
		f.BindEach(f.Args(pattern.From), rows)
	}
}

// BindEach binds the names in each of some patterns to a column of a table.
func (f *Finder) BindEach(parts, rows []Expr) {
	for n, part := range parts {
		f.BindAll(part, f.Column(rows, strconv.Itoa(n)))
	}
}

// Scoped goes through a part of the source in which more names may be bound.
func (f *Finder) Scoped(do func()) {
	outer := f.bound
	f.bound = maps.Clone(outer)
	do()
	f.bound = outer
}
