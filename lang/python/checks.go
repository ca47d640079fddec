package python

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// finder collects the checks of a file.
type finder struct{ *syntax.Finder }

// begin binds what the variables of a function get from tables.
func begin(f *syntax.Finder, fn syntax.Function) bool {
	f.Body = f.Span(syntax.Expr{From: fn.Head.From, To: fn.Body.To})
	f.Unit = fn.Name + "@" + strconv.Itoa(f.Body.Start)
	for i := fn.Head.From; f.Is(i, "@"); i = f.LineEnd(i) {
		finder{f}.parameters(fn, syntax.Expr{From: i, To: f.LineEnd(i)})
	}
	return true
}

// visit notes the check that the statement is that token i begins.
func visit(f *syntax.Finder, i int) int {
	index := f.StatementAt(i)
	if index < 0 {
		return i
	}
	finder{f}.statement(index)
	return f.Statements[index].To
}

// end notes that a check guards only where another follows. A test without any has one that
// says no more than where the test is.
func end(f *syntax.Finder, fn syntax.Function, first int) {
	if fn.Test != "" && len(f.Out) == first {
		f.Add(syntax.Check{At: f.Body})
	}
	guarding := false
	for i := len(f.Out) - 1; i >= first; i-- {
		f.Out[i].Guard = f.Out[i].Guard && guarding
		guarding = guarding || !f.Out[i].Guard
	}
}

// judges reports whether token i says that a function checks something.
func judges(t *syntax.Tree, i int) bool {
	return t.Is(i, "assert", "AssertionError") || t.Is(i+1, "(") && judgesPattern.MatchString(t.Word(i))
}

var judgesPattern = lazyregexp.New(`^(?:raises|warns|fail|fail(?:If|Unless)|eq_|ok_|expect|assert\w*|_{0,2}(?:check|verify|expect)(?:[A-Z_]\w*)?)$`)

// note adds a check, whether it can be altered or not.
func (f finder) note(at syntax.Expr, altered, negated []syntax.Edit) *syntax.Check {
	return f.Add(syntax.Check{At: f.Span(at), Altered: altered, Negated: negated})
}

// statement finds the checks of a statement.
func (f finder) statement(index int) {
	e := f.Statements[index].Expr
	rest := syntax.Expr{From: e.From + 1, To: e.To}
	switch {
	case f.Is(e.From, "assert"):
		if cond := f.Split(rest, ","); len(cond) > 0 && !cond[0].Empty() && !f.failing(e) {
			f.condition(cond[0], true).Guard = guardPattern.MatchString(f.Source(cond[0]))
		}
	case f.Is(e.From, "if", "elif") && !rest.Empty() && f.fails(index):
		f.condition(rest, false)
	case f.Is(e.From, "else") && f.fails(index):
		if head := f.before(index); head >= 0 && f.Is(f.Statements[head].From, "if") {
			f.condition(syntax.Expr{From: f.Statements[head].From + 1, To: f.Statements[head].To}, true)
		}
	case f.Is(e.From, "except") && !rest.Empty():
		f.caught(index)
	default:
		if loop := f.Find(e, "for"); loop == e.From || f.Is(e.From, "async") && loop > 0 {
			in := max(loop+1, f.Find(e, "in"))
			f.BindAll(syntax.Expr{From: loop + 1, To: in}, f.table(syntax.Expr{From: in + 1, To: e.To}))
		}
		f.calls(e)
	}
}

// guardPattern matches a condition that only says that there is something to check.
var guardPattern = lazyregexp.New(`(?s)^(?:isinstance|callable|hasattr)\s*\(|\bis\s+not\s+None$`)

// condition notes a condition that must be met, or must not, for the test to pass.
func (f finder) condition(e syntax.Expr, passes syntax.Sense) *syntax.Check {
	return f.note(e, f.Decided(e, passes), f.Wrap(e, " not (", ")"))
}

// before is the statement of the same block before a statement, or the one that
// its block hangs on; -1 if there is none.
func (f finder) before(index int) int {
	for i := index - 1; i >= 0 && i > f.Statements[index].Parent; i-- {
		if f.Statements[i].Parent == f.Statements[index].Parent {
			return i
		}
	}
	return -1
}

// fails reports whether a statement of a block fails the test.
func (f finder) fails(head int) bool {
	for i := head + 1; i <= f.Statements[head].Last; i++ {
		if f.Statements[i].Parent == head && f.failing(f.Statements[i].Expr) {
			return true
		}
	}
	return false
}

var failingPattern = lazyregexp.New(`(?s)^(?:assert\s*\(?\s*(?:False|0|None)\s*(?:$|[,)])|raise\s+(?:self\.failureException|AssertionError)\b|(?:self|cls|pytest)\.fail\s*\(|fail\s*\()`)

// failing reports whether a statement fails the test by itself.
func (f finder) failing(e syntax.Expr) bool { return failingPattern.MatchString(f.Source(e)) }

// caught notes an exception that is expected: one that is caught where the test
// would fail without it.
func (f finder) caught(index int) {
	try := f.before(index)
	if try < 0 || !f.Is(f.Statements[try].From, "try") || !f.fails(try) {
		return
	}
	kinds := syntax.Expr{From: f.Statements[index].From + 1, To: f.Statements[index].To}
	if as := f.Find(kinds, "as"); as > 0 {
		kinds.To = as
	}
	f.raised(kinds, kinds, "Exception")
}

// raised notes that an exception of a class is expected: another class is one that
// nothing raises. One that ends the run where it is not caught stays.
func (f finder) raised(check, class syntax.Expr, base string) {
	text := f.Source(class)
	another := `type("Tdd", (` + base + `,), {})`
	switch {
	case strings.Contains(text, "KeyboardInterrupt"):
		return
	case class.To == class.From+1 && f.Named(class.From) && strings.ToLower(text) == text:
		another = "(" + text + " if KeyboardInterrupt in getattr(" + text + `, "__mro__", ()) else ` + another + ")"
	}
	c := f.note(check, f.Replace(class, another), nil)
	for _, told := range f.Altered(class, syntax.Other) {
		if told.Start < told.End && told.Text == f.Text[told.Start:told.End] {
			c.Values = append(c.Values, told.Span)
		}
	}
}

// asked alters what an expression compares with that must hold, by in, by is, or by a call
// that compares one of its arguments: by the place of that.
func asked(f *syntax.Finder, e syntax.Expr) []syntax.Edit {
	if in := f.Find(e, "in"); in > e.From {
		if f.Opens(e.From) {
			return nil
		}
		left := syntax.Expr{From: e.From, To: in}
		if f.Is(in-1, "not") {
			left.To--
		}
		return f.Altered(left, syntax.Other)
	}
	if truth := f.Find(e, "True", "False"); f.Find(e, "is") > e.From {
		if !f.Is(truth-1, "is", "not") {
			return nil
		}
		return f.Altered(syntax.Expr{From: truth, To: e.To}, syntax.Other)
	}
	open := f.Opening(e.To - 1)
	if open <= e.From || !f.Is(open, "(") {
		return nil
	}
	place := slices.Index([]bool{
		f.Is(open-1, "startswith", "endswith", "match", "search", "fullmatch", "equals"), f.Is(open-1, "array_equal", "allclose", "isclose"),
	}, true)
	if args := f.Args(open); place >= 0 && place < len(args) {
		return f.Altered(args[place], syntax.Other)
	}
	return nil
}

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
