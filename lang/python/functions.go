package python

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
)

// function is a function that stands in no other one.
type function struct {
	name       string
	head       int   // the number of its statement
	decorators []int // the numbers of theirs
	at         syntax.Span
}

// isTest reports whether a function is a test.
func (f function) isTest() bool { return strings.HasPrefix(f.name, "test") }

// functions lists the functions of a text.
func functions(t *syntax.Tree, list []syntax.Statement) []function {
	var out []function
	end := -1
	for i, st := range list {
		def := st.From
		if t.Is(def, "async") {
			def++
		}
		if i <= end || !t.Is(def, "def") || !t.Named(def+1) {
			continue
		}
		f := function{name: t.Word(def + 1), head: i, at: t.Span(st.Expr)}
		end = st.Last
		f.at.End = t.Span(list[end].Expr).End
		for d := i - 1; d >= 0 && t.Is(list[d].From, "@"); d-- {
			f.decorators = append(f.decorators, d)
			f.at.Start = t.Span(list[d].Expr).Start
		}
		out = append(out, f)
	}
	return out
}

// learn binds the variables of a function that go through a table.
func (f *finder) learn(fn function) {
	for i := fn.head + 1; i <= f.list[fn.head].Last; i++ {
		e := f.list[i].Expr
		if f.Is(e.From, "async") {
			e.From++
		}
		if in := f.Find(e, "in"); f.Is(e.From, "for") && in > 0 {
			f.columns(f.targets(syntax.Expr{From: e.From + 1, To: in}), syntax.Expr{From: in + 1, To: e.To})
		}
	}
	for _, d := range fn.decorators {
		f.parameters(fn, f.list[d].Expr)
	}
}

// targets are the variables that a loop gives values; one that is taken apart
// further has no name.
func (f *finder) targets(e syntax.Expr) []string {
	if f.Whole(e) {
		e = f.Inside(e.From)
	}
	var out []string
	for _, part := range f.Split(e, ",") {
		name := ""
		if part.To == part.From+1 && f.Named(part.From) {
			name = f.Word(part.From)
		}
		out = append(out, name)
	}
	return out
}

// parameters binds what the table in a decorator gives a test.
func (f *finder) parameters(fn function, decorator syntax.Expr) {
	open := f.Opening(decorator.To - 1)
	args := f.Args(open)
	switch {
	case open == decorator.To-1:
	case f.Is(open-1, "parametrize") && len(args) >= 2:
		f.columns(f.names(f.keyword(args[0], "argnames")), f.keyword(args[1], "argvalues"))
	case f.Is(open-1, "expand") && len(args) >= 1:
		head := f.list[fn.head].Expr
		var names []string
		for _, p := range f.Args(f.Find(head, "(")) {
			if !f.Is(p.From, "self") {
				names = append(names, f.Word(p.From))
			}
		}
		f.columns(names, args[0])
	}
}

// names are the names that parametrize is given: as one string, or as several.
func (f *finder) names(e syntax.Expr) []string {
	var out []string
	for i := e.From; i < e.To; i++ {
		if f.Kind(i) == syntax.Text {
			out = append(out, strings.FieldsFunc(f.Quoted(i), func(r rune) bool { return strings.ContainsRune("\"', \t\n\\", r) })...)
		}
	}
	return out
}

// keyword is an argument without the given name in front of it.
func (f *finder) keyword(arg syntax.Expr, name string) syntax.Expr {
	if f.Is(arg.From, name) && f.Is(arg.From+1, "=") {
		arg.From += 2
	}
	return arg
}

// columns binds variables to the columns of a table: to its rows, if there is only one.
func (f *finder) columns(names []string, table syntax.Expr) {
	table = f.Resolved(table, table.From)
	var rows []syntax.Expr
	if f.Whole(table) && f.Find(f.Inside(table.From), "for") < 0 {
		for _, row := range f.Args(table.From) {
			if f.Is(table.From, "{") {
				row = f.Entry(row)
			}
			rows = append(rows, row)
		}
	}
	param := func(row syntax.Expr) bool { return f.Is(f.Opening(row.To-1)-1, "param") }
	for n, name := range names {
		if len(names) == 1 && !slices.ContainsFunc(rows, param) {
			f.Bind(name, rows)
			continue
		}
		f.Bind(name, f.Column(rows, strconv.Itoa(n)))
	}
}
