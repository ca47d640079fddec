package syntax

import (
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
		inner := t.braces[g.at]
		if !g.declared || inner < block || inner >= 0 && (use < inner || use > t.mates[inner]) {
			continue
		}
		block, found = inner, g.value
	}
	if block == -2 {
		return Expr{}, false
	}
	times := 0
	for _, g := range t.given[name] {
		if block < 0 || block < g.at && g.at < t.mates[block] {
			times++
		}
	}
	return found, times == 1 || block < 0 && t.once(name)
}

// once reports whether a name is declared at the top of a file, and given nothing
// later: functions may have others of that name.
func (t *Tree) once(name string) bool {
	top := 0
	for _, g := range t.given[name] {
		if !g.declared {
			return false
		}
		if t.braces[g.at] < 0 {
			top++
		}
	}
	return top == 1
}

// assignments notes what all names are given.
func (t *Tree) assignments() {
	t.given = map[string][]given{}
	if t.page.Declares == nil {
		return
	}
	for i := range t.tokens {
		if !t.Named(i) || t.Is(i-1, ".") {
			continue
		}
		if t.page.Changes != nil && t.page.Changes(t, i) {
			t.given[t.Word(i)] = append(t.given[t.Word(i)], given{at: i})
			continue
		}
		declared, at := t.page.Declares(t, i), i+1
		if declared && t.Is(at, ":") { // its type
			if at = t.Find(Expr{i + 2, min(len(t.tokens), i+40)}, "="); at < 0 {
				continue
			}
		}
		name := t.Word(i)
		switch s := t.Word(at); {
		case s == "=":
			t.given[name] = append(t.given[name], given{i, declared, Expr{at + 1, t.End(at + 1)}})
		case len(s) > 1 && strings.HasSuffix(s, "=") && strings.IndexByte("=!<>", s[0]) < 0, s == "++", s == "--":
			t.given[name] = append(t.given[name], given{at: i})
		}
	}
}

// binding is what a name stands for: in each case the same part of another row.
type binding struct{ rows []Expr }

// Rows are the rows of a table, which stands at a place or is what a name was given.
func (f *Finder) Rows(table Expr, use int) []Expr {
	table = f.core(table)
	if table.To == table.From+1 && f.Named(table.From) {
		if value, ok := f.Given(f.Word(table.From), use); ok {
			table = f.core(value)
		}
	}
	if parts, ok := f.listed(table); ok {
		return parts
	}
	return nil
}

// listed are the values that a list or a call only puts together.
func (f *Finder) listed(e Expr) ([]Expr, bool) {
	if f.Whole(e) {
		return f.Args(e.From), true
	}
	if f.page.Values.Makes == nil || e.Empty() {
		return nil, false
	}
	return f.page.Values.Makes(f.Tree, e, true)
}

// value is an entry of a list without its key.
func (f *Finder) value(entry Expr) Expr {
	if at := f.Find(entry, f.page.Values.Keys...); at > entry.From && len(f.page.Values.Keys) > 0 {
		entry.From = at + 1
	}
	return entry
}

// key is the key of an entry; empty if it has none.
func (f *Finder) key(entry Expr) string {
	if value := f.value(entry); value.From > entry.From {
		return strings.Trim(f.Source(Expr{entry.From, value.From - 1}), `'" .`)
	}
	return ""
}

// column is the binding of a part of the rows: by its number or its key.
func (f *Finder) column(b binding, column string) binding {
	var out binding
	for _, row := range b.rows {
		cells, ok := f.listed(f.core(row))
		for n, cell := range cells {
			key := f.key(cell)
			if ok && (key == column && key != "" || key == "" && strconv.Itoa(n) == column) {
				out.rows = append(out.rows, f.value(cell))
				break
			}
		}
	}
	return out
}

// Entry is a row of a table, or an entry of a list, without its key.
func (f *Finder) Entry(e Expr) Expr { return f.value(e) }

// Bind binds a name to rows of a table, or to the column of them that one of some numbers
// or keys names.
func (f *Finder) Bind(name string, rows []Expr, columns ...string) {
	b := binding{rows}
	for _, column := range columns {
		if b = f.column(binding{rows}, column); len(b.rows) > 0 {
			break
		}
	}
	f.bound[name] = b
}
