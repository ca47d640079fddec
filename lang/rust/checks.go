package rust

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// checks finds what decides whether the tests of a file pass.
func checks(content string, kind gates.Kind) []testrun.Check {
	f := &checkFinder{source: parse(content).code(), helpers: map[string]bool{}, consts: map[string][]expr{}}
	if kind == gates.KindSource {
		f.parts = cuts(content)
	} else {
		f.parts = []testrun.Span{{Start: 0, End: len(content)}}
	}
	functions := f.functions()
	f.know(functions)
	for _, fn := range functions {
		f.function(fn)
	}
	return f.out
}

// expr is a part of a source, from token from to before token to.
type expr struct{ from, to int }

// function is a function, or a macro that is declared by its rules.
type function struct {
	name        string
	attributes  []expr // what is between their brackets
	params      expr
	returns     string
	body        expr // with its brackets
	test, macro bool
}

// checkFinder collects the checks of a file. Its tokens are the code alone.
type checkFinder struct {
	source
	parts   []testrun.Span    // that are tests
	helpers map[string]bool   // functions and macros that check something
	consts  map[string][]expr // constants that only tests use
	out     []testrun.Check

	// These are of the function under way.
	test, unit string
	values     map[string][]expr // what its variables were given
	cells      map[string][]expr // what its loops and its cases give to a variable
	rows       map[string][]expr // the rows of the table that a variable goes through
	loose      bool              // values that a constructor makes count as written out
	followed   int               // names, one to the next
}

// inTests reports whether a token is part of a test.
func (f *checkFinder) inTests(i int) bool {
	at := f.tokens[i].start
	return slices.ContainsFunc(f.parts, func(s testrun.Span) bool { return s.Start <= at && at < s.End })
}

// functions lists the functions of the tests, and notes their constants.
func (f *checkFinder) functions() []function {
	var out []function
	var attributes []expr
	for i := 0; i < len(f.tokens); {
		if _, end, ok := f.attribute(i); ok {
			attributes = append(attributes, expr{i + 2, end - 1})
			i = end
			continue
		}
		fn, end, ok := f.functionAt(i)
		switch {
		case ok && f.inTests(i):
			fn.attributes = attributes
			fn.test = slices.ContainsFunc(attributes, func(a expr) bool { return testAttribute(f.folded(a)) })
			out = append(out, fn)
			i, attributes = end, nil
			continue
		case (f.is(i, "const") || f.is(i, "static")) && f.inTests(i):
			f.binding(i, f.consts)
		}
		if !f.modifies(i) {
			attributes = nil
		}
		i++
	}
	return out
}

// modifies reports whether a token may stand between the attributes of a function
// and its keyword.
func (f *checkFinder) modifies(i int) bool {
	return f.tokens[i].kind == textToken || f.is(i, "(") || f.is(i, ")") ||
		slices.Contains([]string{"pub", "async", "unsafe", "const", "extern", "crate", "super"}, f.text(i))
}

// text is token i; empty behind the last one.
func (f *checkFinder) text(i int) string {
	if i < 0 || i >= len(f.tokens) {
		return ""
	}
	return f.tokens[i].text(f.src)
}

func (f *checkFinder) folded(e expr) string { return f.fold(e.from, e.to) }

// functionAt reads the function, or the rules of a macro, that begin at i.
func (f *checkFinder) functionAt(i int) (fn function, end int, ok bool) {
	if f.is(i, "macro_rules") && f.is(i+1, "!") && f.opens(i+3) {
		end = f.group(i + 3)
		return function{name: f.text(i + 2), body: expr{i + 3, end}, macro: true}, end, true
	}
	if !f.is(i, "fn") || i+1 >= len(f.tokens) || f.tokens[i+1].kind != wordToken {
		return fn, i, false
	}
	open := i + 2
	for open < len(f.tokens) && !f.opens(open) && !f.is(open, ";") {
		open++
	}
	if !f.is(open, "(") {
		return fn, i, false
	}
	fn = function{name: f.text(i + 1), params: expr{open + 1, f.group(open) - 1}}
	at := f.group(open)
	for at < len(f.tokens) && !f.is(at, "{") && !f.is(at, ";") {
		at++
	}
	if !f.is(at, "{") {
		return fn, i, false
	}
	fn.returns = f.fold(f.group(open), at)
	fn.body = expr{at, f.group(at)}
	return fn, fn.body.to, true
}

// know notes which functions check something, themselves or by another one.
func (f *checkFinder) know(functions []function) {
	for {
		before := len(f.helpers)
		for _, fn := range functions {
			if !fn.test && !f.helpers[fn.name] && f.judges(fn.body) {
				f.helpers[fn.name] = true
			}
		}
		if len(f.helpers) == before {
			return
		}
	}
}

// judges reports whether a part of a source fails a test under some condition.
func (f *checkFinder) judges(e expr) bool {
	for i := e.from; i < e.to; i++ {
		if f.is(i+1, "!") && f.opens(i+2) && (asserts(f.text(i)) || f.text(i) == "panic") || f.calls(i) && f.helpers[f.text(i)] {
			return true
		}
	}
	return false
}

// calls reports whether token i names what is called: a function or a macro.
func (f *checkFinder) calls(i int) bool {
	return i < len(f.tokens) && f.tokens[i].kind == wordToken && (f.is(i+1, "(") || f.is(i+1, "!") && f.opens(i+2)) && !f.is(i-1, "fn")
}

// function collects the checks of a function. One that is no test is a helper.
func (f *checkFinder) function(fn function) {
	f.test, f.unit = "", fn.name+"@"+strconv.Itoa(f.tokens[fn.body.from].start)
	if fn.test {
		f.test = fn.name
	}
	f.values, f.cells, f.rows = map[string][]expr{}, map[string][]expr{}, map[string][]expr{}
	for i := fn.body.from; i < fn.body.to; i++ {
		switch f.text(i) {
		case "let", "const", "static":
			f.binding(i, f.values)
		case "for":
			f.loop(i)
		}
	}
	f.cases(fn)
	if f.shouldPanic(fn) {
		return
	}
	if f.returnsVerdict(fn) {
		f.note(fn.body, nil, []testrun.Edit{f.insert(fn.body.from, " { !("), f.insert(fn.body.to, ") }")})
	}
	for i := fn.body.from + 1; i < fn.body.to; {
		i = max(i+1, f.visit(i))
	}
}

// visit finds the check that begins at a token, and returns where to go on.
func (f *checkFinder) visit(i int) int {
	switch word := f.text(i); {
	case f.tokens[i].kind != wordToken:
		return i + 1
	case f.is(i+1, "!") && f.opens(i+2):
		return f.macro(i)
	case word == "if":
		f.branch(i)
	case word == "match":
		f.match(i)
	case word == "else" && f.is(i+1, "{"):
		f.letElse(i)
	case f.is(i+1, "("):
		return f.call(i)
	}
	return i + 1
}

// note adds a check, if it can be altered or negated.
func (f *checkFinder) note(at expr, altered, negated []testrun.Edit) *testrun.Check {
	if len(altered)+len(negated) == 0 {
		return &testrun.Check{}
	}
	f.out = append(f.out, testrun.Check{Test: f.test, Unit: f.unit, At: f.span(at), Altered: altered, Negated: negated})
	return &f.out[len(f.out)-1]
}

// shouldPanic notes the panic that a test expects. A check in the body of such a
// test only adds to what it expects.
func (f *checkFinder) shouldPanic(fn function) bool {
	for _, a := range fn.attributes {
		if f.text(a.from) != "should_panic" {
			continue
		}
		var altered []testrun.Edit
		if a.to > a.from+1 {
			altered = f.literalIn(expr{a.from + 1, a.to})
		}
		f.note(a, altered, []testrun.Edit{f.replace(expr{a.from - 2, a.to + 1}, "")})
		return true
	}
	return false
}

// returnsVerdict reports whether what a function returns says whether a property
// holds.
func (f *checkFinder) returnsVerdict(fn function) bool {
	if fn.returns != "->bool" {
		return false
	}
	return slices.ContainsFunc(fn.attributes, func(a expr) bool { return strings.HasSuffix(f.folded(a), "quickcheck") }) ||
		strings.Contains(f.src, "quickcheck("+fn.name+" ")
}

// span is where an expression stands.
func (f *checkFinder) span(e expr) testrun.Span {
	if e.from >= len(f.tokens) || e.to <= e.from {
		return testrun.Span{Start: len(f.src), End: len(f.src)}
	}
	return testrun.Span{Start: f.tokens[e.from].start, End: f.tokens[e.to-1].end}
}

func (f *checkFinder) replace(e expr, text string) testrun.Edit {
	return testrun.Edit{Span: f.span(e), Text: text}
}

// insert puts a text before token i.
func (f *checkFinder) insert(i int, text string) testrun.Edit {
	at := f.span(expr{i, i + 1}).Start
	if i > 0 {
		at = f.tokens[i-1].end
	}
	return testrun.Edit{Span: testrun.Span{Start: at, End: at}, Text: text}
}

// negated turns the sense of a condition round.
func (f *checkFinder) negated(e expr) []testrun.Edit {
	s := f.span(e)
	return []testrun.Edit{{Span: testrun.Span{Start: s.Start, End: s.Start}, Text: "!("}, {Span: testrun.Span{Start: s.End, End: s.End}, Text: ")"}}
}
