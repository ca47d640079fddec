package golang

import (
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// functions lists the functions of a file that have a body.
func functions(t *syntax.Tree) []syntax.Function {
	var out []syntax.Function
	for i := 0; i < t.Len(); i = t.Group(i) {
		if !t.Is(i, "func") {
			continue
		}
		name, results, body := signature(t, i)
		if !t.Is(body, "{") {
			continue
		}
		fn := syntax.Function{Name: t.Word(name), Head: syntax.Expr{From: i, To: name}, Params: t.Inside(t.Opening(results.From - 1)), Body: syntax.Expr{From: body, To: t.Group(body)}}
		if method := name > i+1; isTest(fn.Name) && (!method || strings.HasPrefix(fn.Name, "Test")) {
			fn.Test = fn.Name
		}
		out = append(out, fn)
	}
	return out
}

// begin binds the rows of tables, which functions may be given before the loop, and notes
// the output that an example promises.
func begin(f *syntax.Finder, fn syntax.Function) bool {
	for i := fn.Body.From; i < fn.Body.To; i++ {
		if !f.Is(i, "for") {
			continue
		}
		if name, rows := table(f, i); len(rows) > 0 && f.Closes(rows[0].To-1) {
			f.Bind(name, rows)
		}
	}
	body, last := f.Span(fn.Body), syntax.Span{}
	for _, c := range f.Comments() {
		if inside := body.Start < c.Start && c.End < body.End; inside && (promises(f.Text[c.Start:c.End]) || last.End > 0) {
			last = c
		}
	}
	if last.End > 0 && strings.HasPrefix(fn.Test, "Example") {
		end := last.Start + len(strings.TrimSuffix(f.Text[last.Start:last.End], "*/"))
		f.Add(syntax.Check{At: last, Altered: []syntax.Edit{{Span: syntax.Span{Start: end, End: end}, Text: "~tdd"}}})
	}
	return true
}

// promises reports whether a comment begins to say what an example prints.
func promises(comment string) bool {
	text := strings.ToLower(strings.TrimLeft(comment, "/* \t\n"))
	return strings.HasPrefix(strings.TrimPrefix(text, "unordered "), "output:")
}

// visit notes the check that begins at token i.
func visit(f *syntax.Finder, i int) int {
	switch {
	case f.Is(i, "if"):
		branch(f, i)
	case f.Is(i, "for"):
		return loop(f, i)
	case f.Is(i, "case"):
		if cond, body := clause(f.Tree, i); f.Find(cond, ",") < 0 && compares(f.Tree, cond) && fails(f.Tree, body) {
			condition(f, syntax.Expr{}, cond, false)
		}
	case f.Named(i):
		return call(f, i)
	}
	return i + 1
}

// table is the loop variable that the for at token i binds to the rows of a table.
func table(f *syntax.Finder, i int) (name string, rows []syntax.Expr) {
	body := blockOf(f.Tree, i)
	at := f.Find(syntax.Expr{From: i, To: body}, "range")
	if at < 0 || !f.Named(at-2) || !f.Is(at-3, ",") {
		return "", nil
	}
	rows = f.Rows(syntax.Expr{From: at + 1, To: body}, i)
	for k := range rows {
		rows[k] = f.Entry(rows[k])
	}
	return f.Word(at - 2), rows
}

// loop goes through a loop, whose variable may be the row of a table.
func loop(f *syntax.Finder, i int) int {
	body := blockOf(f.Tree, i)
	f.Walk(syntax.Expr{From: i + 1, To: body})
	f.Scoped(func() {
		if name, rows := table(f, i); name != "" {
			f.Bind(name, rows)
		}
		f.Walk(syntax.Expr{From: body, To: f.Group(body)})
	})
	return f.Group(body)
}

// branch notes an if one of whose arms fails the test, or that leaves before what follows
// does.
func branch(f *syntax.Finder, i int) {
	first, cond, body := head(f.Tree, i)
	end := f.Group(body)
	then := fails(f.Tree, syntax.Expr{From: body, To: end})
	otherwise := f.Is(end, "else") && f.Is(end+1, "{") && fails(f.Tree, syntax.Expr{From: end + 1, To: f.Group(end + 1)})
	if then || otherwise || leaves(f.Tree, i) && fails(f.Tree, syntax.Expr{From: end, To: f.Group(f.Around(i))}) {
		condition(f, first, cond, syntax.Sense(!then))
	}
}

// leaves reports whether the only arm of the if at token i does not fail the test, and ends what
// it stands in.
func leaves(t *syntax.Tree, i int) bool {
	body := blockOf(t, i)
	arm := syntax.Expr{From: body + 1, To: t.Group(body) - 1}
	if !t.Is(body, "{") || behind(t, i) != t.Group(body) || fails(t, arm) {
		return false
	}
	for arm.From < arm.To && !t.Is(arm.From, "return", "continue", "break") {
		arm.From = t.Group(arm.From)
	}
	return arm.From < arm.To
}

// condition notes a condition on which it depends whether a test passes. What stands
// first may make the error or the difference that it is about: then what it compares with
// is no value that is expected.
func condition(f *syntax.Finder, first, cond syntax.Expr, passes syntax.Sense) {
	altered := f.Decided(cond, passes)
	empty := cond.To == cond.From+3 && f.Is(cond.From+2, "nil", `""`, "0")
	if empty && f.Is(first.From+1, ":=", "=") && f.Word(first.From) == f.Word(cond.From) {
		altered = nil
		if open := f.Opening(first.To - 1); f.Is(open, "(") && strings.Contains(strings.ToLower(f.Source(syntax.Expr{From: first.From + 2, To: open})), "diff") {
			altered = f.First(f.Args(open), syntax.Other)
		}
	}
	f.Note(cond, altered, f.Wrap(cond, "!(", ")")).Guard = !bool(passes) && guards(f.Tree, cond) && !judged(f, cond)
}

// judgePattern matches the beginning of a call that judges what it is given, and returns an error
// if that is not as it should be.
var judgePattern = lazyregexp.New(`^(?:quick\.Check|fstest\.TestFS\(|iotest\.TestReader\(|slogtest\.)|^(?:check|verify|assert|expect|compare|same|equal)\w*\(`)

// judged reports whether the error that a condition is about is what a test was to find out:
// that of a property, or of a function of the test's own that compares.
func judged(f *syntax.Finder, cond syntax.Expr) bool {
	for i := cond.From - 1; i > 0 && !f.Is(i, "func"); i-- {
		if call := i + 2; f.Is(i, f.Word(cond.From)) && f.Is(i+1, ":=", "=") {
			own := f.Is(call+1, ".") || f.Defined(f.Word(call))
			return own && judgePattern().MatchString(f.Source(syntax.Expr{From: call, To: call + 4}))
		}
	}
	return false
}

// guards reports whether a condition only says that something went wrong on the way:
// err != nil, !ok.
func guards(t *syntax.Tree, cond syntax.Expr) bool {
	for _, e := range t.Split(cond, "||") {
		wrong := t.Find(e, "!=") > 0 && (t.Is(e.From, "nil") || t.Is(e.To-1, "nil")) && t.Find(e, "&&") < 0 && erring(t, e)
		if !wrong && t.Source(e) != "!ok" {
			return false
		}
	}
	return true
}

// erring reports whether an expression is about an error, as far as its names say.
func erring(t *syntax.Tree, e syntax.Expr) bool {
	return t.Is(e.From, "e") || strings.Contains(strings.ToLower(t.Source(e)), "err")
}

// fails reports whether a part of a test fails it, by what does not stand under another
// condition or in a function.
func fails(t *syntax.Tree, e syntax.Expr) bool {
	for i := e.From; i < e.To; i++ {
		switch {
		case failing(t, i), t.Is(i, "if") && eitherFails(t, i):
			return true
		case t.Is(i, "if") && leaves(t, i): // it depends on that
			return false
		case t.Is(i, "if"):
			i = behind(t, i) - 1
		case t.Is(i, "func"):
			_, _, body := signature(t, i)
			i = t.Group(body) - 1
		}
	}
	return false
}

// eitherFails reports whether the if at token i fails the test in each of its arms.
func eitherFails(t *syntax.Tree, i int) bool {
	body := blockOf(t, i)
	end := t.Group(body)
	switch {
	case !t.Is(end, "else") || !fails(t, syntax.Expr{From: body, To: end}):
		return false
	case t.Is(end+1, "if"):
		return eitherFails(t, end+1)
	}
	return fails(t, syntax.Expr{From: end + 1, To: t.Group(end + 1)})
}

// call notes a call of an assertion library, or of a helper that gets the test, and goes
// through a subtest, which is a part of its own.
func call(f *syntax.Finder, i int) int {
	open := i + 1
	if f.Is(open, "[") {
		open = f.Group(open)
	}
	if !f.Is(open, "(") {
		return i + 1
	}
	args, method := f.Args(open), f.Is(i-1, ".")
	at, rest := syntax.Expr{From: i, To: f.Group(open)}, args
	if len(args) > 0 && isTestValue(f.Tree, args[0]) {
		rest = args[1:]
	}
	switch last := len(args) - 1; {
	case last < 0:
	case method && f.Is(i, "Run", "Fuzz") && f.Is(args[last].From, "func"):
		_, _, body := signature(f.Tree, args[last].From)
		outer := f.Unit
		f.Unit = f.Test + "@" + f.Source(args[0])
		f.Walk(syntax.Expr{From: body, To: f.Group(body)})
		f.Unit = outer
		return at.To
	case method && f.Is(i, "Assert", "Check") && checker(f, at, rest):
	case method && f.Is(i-2, "assert", "require", "is", "qt", "must", "should", "check") && !f.Is(i-3, "."):
		library(f, at, rest)
	case last > 0 && len(rest) == last && !failing(f.Tree, i):
		f.Helper(at, rest, nil)
	}
	return i + 1
}

// checker notes an assertion of quicktest, or of check and its kind, in which an argument
// says how those around it are compared: c.Assert(got, qt.Equals, want). It reports whether it
// is one.
func checker(f *syntax.Finder, at syntax.Expr, args []syntax.Expr) bool {
	if len(args) < 2 {
		return false
	}
	how := args[1]
	name, from, dotted := how.From, "", f.Is(how.From+1, ".")
	if dotted {
		name, from = how.From+2, f.Word(how.From)+"."
	}
	if !f.Named(name) || !unicode.IsUpper(rune(f.Word(name)[0])) || name+1 != how.To && !f.Is(name+1, "(") {
		return false
	}
	contrary := from + "Not(" + f.Source(how) + ")"
	if inner := f.Args(name + 1); f.Is(name, "Not") && len(inner) == 1 {
		contrary = f.Source(inner[0])
	}
	f.Note(at, f.First(args[2:], syntax.Other), f.Replace(how, contrary)).Guard = f.Is(name, "IsNil", "ErrorIsNil") && erring(f.Tree, args[0])
	return true
}

// library notes an assertion of testify or of its kind.
func library(f *syntax.Finder, at syntax.Expr, args []syntax.Expr) {
	var altered, negated []syntax.Edit
	name, formatted := strings.CutSuffix(f.Word(at.From), "f")
	if opposite := syntax.Contraries(opposites)[name]; opposite != "" {
		if formatted {
			opposite += "f"
		}
		negated = f.Replace(syntax.Expr{From: at.From, To: at.From + 1}, opposite)
	}
	if strings.Contains(comparing, " "+name+" ") {
		altered = f.First(args[:min(2, len(args))], syntax.Other)
	}
	f.Note(at, altered, negated).Guard = name == "NoError"
}

// comparing lists the assertions whose first two arguments are compared.
const comparing = " Equal EqualValues Exactly Contains Len ElementsMatch JSONEq YAMLEq EqualError ErrorContains Greater Less " +
	"GreaterOrEqual LessOrEqual DeepEqual Regexp Subset InDelta Equals HasPrefix "

// opposites are the assertions of testify and of its kind that say the contrary of each
// other.
const opposites = `Equal NotEqual EqualValues NotEqualValues Same NotSame True False Nil NotNil Empty NotEmpty Zero NotZero
	Contains NotContains Error NoError ErrorIs NotErrorIs Panics NotPanics Regexp NotRegexp Implements NotImplements
	FileExists NoFileExists DirExists NoDirExists Greater LessOrEqual Less GreaterOrEqual Subset NotSubset Negative Positive`
