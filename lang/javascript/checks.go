package javascript

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// checks finds what decides whether the tests of a file pass.
func checks(test string, _ gates.Kind) []syntax.Check {
	f := &finder{Finder: page().Finder(test), functions: map[string]string{}, modules: map[string]bool{"assert": true}, test: -1}
	f.Unit = strconv.Itoa(f.test)
	f.imports()
	f.checking()
	f.walk(f.All())
	return f.Out
}

// finder collects the checks of a file.
type finder struct {
	*syntax.Finder

	modules   map[string]bool   // the names by which the file knows an assertion library
	functions map[string]string // the assertions that it imports by name, and what they are called there
	imported  int               // the statement that imports them
	chai      bool              // the library is chai
	path      []string          // the titles of the suites and of the test around what is under way
	test      int               // where the test around it begins; -1 if there is none
}

// libraryPattern is a module with assertions that are functions.
var libraryPattern = lazyregexp.New(`^['"](?:node:)?(assert|assert/strict|chai|uvu/assert|power-assert)['"]$`)

// imports finds the names by which a file knows assertions.
func (f *finder) imports() {
	for i := range f.Len() {
		if f.Kind(i) != syntax.Text || !libraryPattern.MatchString(f.Word(i)) {
			continue
		}
		f.chai = f.chai || strings.Contains(f.Word(i), "chai")
		from := i
		for from > 0 && !f.Is(from, "import", "const", "let", "var", ";") {
			from--
		}
		f.imported = from
		f.names(syntax.Expr{From: from + 1, To: i})
	}
	for _, library := range []string{"assert", "strict", "should"} { // objects of that name
		if name, ok := f.functions[library]; ok {
			f.modules[name] = true
			delete(f.functions, library)
		}
	}
	delete(f.functions, "expect")
}

// names takes in the names in an import of assertions.
func (f *finder) names(e syntax.Expr) {
	for at := e.From; at < e.To; at = f.Group(at) {
		switch {
		case f.Is(at, "{"):
			for _, part := range f.Args(at) {
				f.functions[f.Word(part.To-1)] = f.Word(part.From)
			}
		case f.Named(at) && !f.Is(at, "as", "from", "require", "import", "default"):
			f.modules[f.Word(at)] = true
		}
	}
}

// checking notes the functions of a file in which something is checked.
func (f *finder) checking() {
	for i := range f.Len() {
		name, body := f.function(i)
		if body.Where(func(at int) bool {
			return f.modules[f.Word(at)] || f.Is(at+1, "(") && (f.Is(at, "expect") || f.functions[f.Word(at)] != "")
		}) >= 0 {
			f.Helpers[name] = true
		}
	}
}

// function is the name and the body of a function that begins at a place.
func (f *finder) function(i int) (name string, body syntax.Expr) {
	open := -1
	switch {
	case f.Is(i, "function") && f.Named(i+1) && f.Is(i+2, "("):
		name, open = f.Word(i+1), f.Find(syntax.Expr{From: f.Group(i + 2), To: f.Len()}, "{", ";")
	case f.Is(i, "=") && f.Named(i-1):
		if arrow := f.Find(syntax.Expr{From: i, To: f.End(i + 1)}, "=>"); arrow > 0 {
			name, open = f.Word(i-1), arrow+1
		}
	}
	if open < 0 || !f.Is(open, "{") {
		return "", syntax.Expr{}
	}
	return name, f.Inside(open)
}

// walk finds the checks in a part of the source.
func (f *finder) walk(e syntax.Expr) {
	for i := e.From; i < e.To; {
		if param, rows, body := f.loop(i); len(rows) > 0 && body.To > i {
			f.walk(syntax.Expr{From: i + 1, To: body.From})
			f.Scoped(func() {
				f.BindAll(param, rows)
				f.walk(body)
			})
			i = body.To
			continue
		}
		if d, ok := f.declares(i); ok {
			f.walk(syntax.Expr{From: i + 1, To: d.open})
			f.Scoped(func() { f.declared(i, d) })
			i = f.Group(d.open)
			continue
		}
		i = max(i+1, f.check(i))
	}
}

// declared goes through a test or a suite.
func (f *finder) declared(i int, d call) {
	outer := *f
	f.path = append(slices.Clip(f.path), f.title(d.args[0]))
	f.tabled(d)
	test, unit := f.Test, f.Unit
	if !d.suite {
		f.test = i
	}
	if f.test >= 0 {
		f.Test, f.Unit = strings.Join(f.path, "::"), strconv.Itoa(f.test)
	}
	f.walk(f.Inside(d.open))
	f.path, f.test, f.Test, f.Unit = outer.path, outer.test, test, unit
}

// check reads the check that begins at a place, and returns the place behind it.
func (f *finder) check(i int) int {
	if !f.Named(i) {
		return i
	}
	member := f.Is(i-1, ".", "?.")
	switch name := f.Word(i); {
	case name == "expect" && !member:
		return f.expect(i)
	case name == "should" && member:
		return f.expectation(i, syntax.Expr{From: i, To: i}, i+1)
	case f.modules[name] && (!member || f.ofTest(i-2) || f.Is(i-2, "chai")):
		return f.assert(i)
	case name == "t" && !member && avaName(f.Word(i+2)) != "" && f.Is(i+3, "("):
		return f.assertion(assertion{from: i, at: i + 2, open: i + 3, name: avaName(f.Word(i + 2)), ava: true})
	case (name == "assert" || name == "check") && member && f.Named(i-2): // sinon.assert, fc.assert
		return f.foreign(i)
	case f.functions[name] != "" && !member && f.Is(i+1, "("):
		return f.assertion(assertion{from: i, at: i, open: i + 1, name: f.functions[name], alone: true})
	case name == "if" && f.Is(i+1, "(") && f.test >= 0:
		f.Branch(i)
	case f.test >= 0 && !member && f.Is(i+1, "(") && f.statement(i):
		f.helper(i)
	}
	return i
}

// statement reports whether a call stands for itself.
func (f *finder) statement(i int) bool {
	return f.Is(i-1, ";", "{", "}", "await", "return", "=>", ")") || f.Broken(i) && !f.Continues(i-1)
}

// helperPattern is how functions are named that check something.
var helperPattern = regexp.MustCompile(`^(?:assert|expect|check|verify|ensure|should|must)(?:[A-Z_]\w*)?$`)

// helper notes a call of a function that checks something, with what it expects as
// its last argument.
func (f *finder) helper(i int) {
	args := f.Args(i + 1)
	if len(args) == 0 || !f.Helpers[f.Word(i)] && !helperPattern.MatchString(f.Word(i)) && (f.Source(args[0]) != "t" || len(args) < 2) {
		return
	}
	f.Helper(syntax.Expr{From: i, To: f.Group(i + 1)}, args, nil)
}
