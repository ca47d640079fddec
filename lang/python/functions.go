package python

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
)

// functions lists the functions that stand in no other one.
func functions(t *syntax.Tree) []syntax.Function {
	var out []syntax.Function
	list, last := t.Statements, -1
	for i, st := range list {
		def := st.From
		if t.Is(def, "async") {
			def++
		}
		if i <= last || !t.Is(def, "def") || !t.Named(def+1) {
			continue
		}
		last = st.Last
		fn := syntax.Function{Name: t.Word(def + 1), Head: syntax.Expr{From: st.From, To: def + 1}, Params: t.Inside(max(def, t.Find(st.Expr, "("))), Body: syntax.Expr{From: st.To + 1, To: list[last].To}}
		for d := i - 1; d >= 0 && t.Is(list[d].From, "@"); d-- {
			fn.Head.From = list[d].From
		}
		if strings.HasPrefix(fn.Name, "test") {
			fn.Test = fn.Name
		}
		out = append(out, fn)
	}
	return out
}

// parameters binds what the table in a decorator gives a test.
func (f finder) parameters(fn syntax.Function, decorator syntax.Expr) {
	open := f.Opening(decorator.To - 1)
	args := f.Args(open)
	switch {
	case open == decorator.To-1:
	case f.Is(open-1, "parametrize") && len(args) >= 2:
		f.columns(f.names(args[0]), args[1])
	case f.Is(open-1, "expand") && len(args) >= 1:
		var names []string
		for _, p := range f.Split(fn.Params, ",") {
			if !f.Is(p.From, "self") {
				names = append(names, f.Word(p.From))
			}
		}
		f.columns(names, args[0])
	}
}

// names are the names that parametrize is given: as one string, or as several.
func (f finder) names(e syntax.Expr) []string {
	var out []string
	for i := e.From; i < e.To; i++ {
		if f.Kind(i) == syntax.Text {
			out = append(out, strings.FieldsFunc(f.Quoted(i), func(r rune) bool { return strings.ContainsRune("\"', \t\n\\", r) })...)
		}
	}
	return out
}

// table lists the rows of a table.
func (f finder) table(e syntax.Expr) []syntax.Expr {
	e = f.Resolved(e, e.From)
	if !f.Whole(e) || f.Find(f.Inside(e.From), "for") >= 0 {
		return nil
	}
	rows := f.Args(e.From)
	for k := range rows {
		if f.Is(e.From, "{") {
			rows[k] = f.Entry(rows[k])
		}
	}
	return rows
}

// columns binds variables to the columns of a table: to its rows, if there is only one.
func (f finder) columns(names []string, table syntax.Expr) {
	rows := f.table(table)
	param := func(row syntax.Expr) bool { return f.Is(f.Opening(row.To-1)-1, "param") }
	for n, name := range names {
		if len(names) == 1 && !slices.ContainsFunc(rows, param) {
			f.Bind(name, rows)
			continue
		}
		f.Bind(name, f.Column(rows, strconv.Itoa(n)))
	}
}
