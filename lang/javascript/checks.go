package javascript

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

// checks finds what decides whether the tests of a file pass.
func checks(test string, _ gates.Kind) []testrun.Check {
	f := &finder{code: newCode(test), functions: map[string]string{}, modules: map[string]bool{"assert": true}}
	f.imports()
	f.helpers = f.checking()
	f.walk(part{0, len(f.toks)}, scope{test: -1})
	return f.out
}

// finder collects the checks of a file.
type finder struct {
	*code
	modules   map[string]bool   // the names by which the file knows an assertion library
	functions map[string]string // the assertions that it imports by name, and what they are called there
	imported  int               // the statement that imports them
	chai      bool              // the library is chai
	helpers   map[string]bool   // its functions that check something
	depth     int               // of names that stand for names
	out       []testrun.Check
}

// libraryPattern is a module with assertions that are functions.
var libraryPattern = lazyregexp.New(`^['"](?:node:)?(assert|assert/strict|chai|uvu/assert|power-assert)['"]$`)

// imports finds the names by which a file knows assertions.
func (f *finder) imports() {
	for i := range f.toks {
		if f.kind(i) != textKind || !libraryPattern.MatchString(f.at(i)) {
			continue
		}
		f.chai = f.chai || strings.Contains(f.at(i), "chai")
		from := i
		for from > 0 && !slices.Contains([]string{"import", "const", "let", "var", ";"}, f.at(from)) {
			from--
		}
		f.imported = from
		f.names(part{from + 1, i})
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
func (f *finder) names(p part) {
	for at := p.from; at < p.to; at++ {
		switch s := f.at(at); {
		case s == "{":
			for _, p := range f.args(at) {
				f.functions[f.at(p.to-1)] = f.at(p.from)
			}
			at = f.mate[at]
		case f.kind(at) == wordKind && !slices.Contains([]string{"as", "from", "require", "import", "default"}, s):
			f.modules[s] = true
		}
	}
}

// checking lists the functions of a file in which something is checked.
func (f *finder) checking() map[string]bool {
	out := map[string]bool{}
	for i := range f.toks {
		name, body := f.function(i)
		for at := body.from; at < body.to; at++ {
			if f.at(at) == "expect" && f.at(at+1) == "(" || f.modules[f.at(at)] || f.functions[f.at(at)] != "" && f.at(at+1) == "(" {
				out[name] = true
			}
		}
	}
	return out
}

// function is the name and the body of a function that begins at a place.
func (f *finder) function(i int) (name string, body part) {
	open := -1
	switch {
	case f.at(i) == "function" && f.kind(i+1) == wordKind && f.at(i+2) == "(":
		name, open = f.at(i+1), f.find(part{f.mate[i+2], len(f.toks)}, "{", ";")
	case f.at(i) == "=" && f.kind(i-1) == wordKind:
		if arrow := f.find(part{i, f.expressionEnd(i + 1)}, "=>"); arrow > 0 {
			name, open = f.at(i-1), arrow+1
		}
	}
	if open < 0 || f.at(open) != "{" {
		return "", part{}
	}
	return name, f.inside(open)
}

// walk finds the checks in some tokens.
func (f *finder) walk(p part, s scope) {
	for i := p.from; i < p.to; {
		if names, body := f.looped(i); len(names) > 0 && body.to > i {
			from := body.from
			f.walk(part{i + 1, from}, s)
			f.walk(body, s.with(names))
			i = body.to
			continue
		}
		if d, ok := f.declares(i); ok {
			f.walk(part{i + 1, d.open}, s)
			f.declared(i, d, s)
			i = f.mate[d.open] + 1
			continue
		}
		i = max(i+1, f.check(i, s))
	}
}

// declared goes through a test or a suite.
func (f *finder) declared(i int, d call, s scope) {
	inner := s.in(f.title(d.args[0])).with(f.tabled(d))
	if !d.suite {
		inner.test = i
	}
	f.walk(f.inside(d.open), inner)
}

// note adds a check to those of a scope. An edit that puts nothing anywhere tells
// nothing.
func (f *finder) note(c testrun.Check, s scope) {
	if c.Altered == nil && c.Negated == nil {
		return
	}
	c.Unit = strconv.Itoa(s.test)
	if s.test >= 0 {
		c.Test = s.name()
	}
	f.out = append(f.out, c)
}

// check reads the check that begins at a place, if one does, and returns the place
// behind it.
func (f *finder) check(i int, s scope) int {
	if f.kind(i) != wordKind {
		return i
	}
	member := f.at(i-1) == "." || f.at(i-1) == "?."
	switch name := f.at(i); {
	case name == "expect" && !member:
		return f.expect(i, s)
	case name == "should" && member:
		return f.should(i, s)
	case f.modules[name] && (!member || f.ofTest(i-2) || f.at(i-2) == "chai"):
		return f.assert(i, s)
	case name == "t" && !member && avaName(f.at(i+2)) != "" && f.at(i+3) == "(":
		return f.assertion(assertion{from: i, at: i + 2, open: i + 3, name: avaName(f.at(i + 2)), ava: true}, s)
	case (name == "assert" || name == "check") && member && f.kind(i-2) == wordKind: // sinon.assert, fc.assert
		return f.foreign(i, s)
	case f.functions[name] != "" && !member && f.at(i+1) == "(":
		return f.byName(i, s)
	case name == "if" && f.at(i+1) == "(":
		f.branch(i, s)
	case s.test >= 0 && !member && f.at(i+1) == "(" && f.statement(i):
		f.helper(i, s)
	}
	return i
}

// statement reports whether a call stands for itself.
func (f *finder) statement(i int) bool {
	switch f.at(i - 1) {
	case ";", "{", "}", "await", "return", "=>", ")":
		return true
	}
	return f.broken(i) && !f.continues(i-1)
}

// helperPattern is how functions are named that check something.
var helperPattern = regexp.MustCompile(`^(?:assert|expect|check|verify|ensure|should|must)(?:[A-Z_]\w*)?$`)

// helper notes a call of a function that checks something, with what it expects as
// its last argument.
func (f *finder) helper(i int, s scope) {
	args := f.args(i + 1)
	if len(args) == 0 || !f.helpers[f.at(i)] && !helperPattern.MatchString(f.at(i)) && (f.text(args[0]) != "t" || len(args) < 2) {
		return
	}
	f.note(testrun.Check{Call: true, At: f.span(part{i, f.mate[i+1] + 1}), Altered: f.last(args, s)}, s)
}

// branch notes an if that fails the test by an error.
func (f *finder) branch(i int, s scope) {
	cond := f.inside(i + 1)
	if s.test < 0 || !f.throws(f.mate[i+1]+1) {
		return
	}
	f.note(testrun.Check{At: f.span(cond), Altered: f.decided(cond, holds, s), Negated: f.around(cond, "!(", ")")}, s)
}

// throws reports whether a block or a statement fails a test by itself.
func (f *finder) throws(at int) bool {
	end := f.expressionEnd(at)
	if f.at(at) == "{" {
		at, end = at+1, f.mate[at]
	}
	for i := at; i < end; i++ {
		switch s := f.at(i); {
		case s == "throw", s == "fail" && f.at(i+1) == "(":
			return true
		case s == "if", s == "=>", s == "function", s == "catch":
			return false
		}
	}
	return false
}

// outcome is what becomes of a condition.
type outcome bool

const (
	holds outcome = true
	fails outcome = false
)

// decided alters what a condition expects, so that it is met, or is not. Nothing
// comes of a condition that no other value would decide.
func (f *finder) decided(p part, met outcome, s scope) []testrun.Edit {
	p = f.bare(p)
	for _, operator := range []string{"||", "&&"} {
		if parts := f.split(p, operator); len(parts) > 1 {
			var edits []testrun.Edit
			for _, p := range parts {
				edits = append(edits, f.decided(p, met, s)...)
			}
			return edits
		}
	}
	if at := f.find(p, "===", "==", "!==", "!=", "<", "<=", ">", ">="); at > p.from {
		return f.compared(at, p, met, s)
	}
	if !p.empty() && f.at(p.from) == "!" {
		return f.decided(part{p.from + 1, p.to}, !met, s)
	}
	if !p.empty() && f.at(p.to-1) == ")" && met == fails && f.compares(f.mate[p.to-1]-1) {
		return f.last(f.args(f.mate[p.to-1]), s)
	}
	return nil
}

// compares reports whether a function compares what it is called with.
func (f *finder) compares(name int) bool {
	return slices.Contains(strings.Fields("includes startsWith endsWith has equals isEqual isDeepStrictEqual deepEqual"), f.at(name))
}

// compared is decided for a comparison.
func (f *finder) compared(at int, p part, met outcome, s scope) []testrun.Edit {
	left, right := part{p.from, at}, part{at + 1, p.to}
	toLeft, toRight := testrun.Other, testrun.Other
	switch operator := f.at(at); {
	case operator[0] == '=' && met == holds, operator[0] == '!' && met == fails:
		return nil
	case operator[0] == '<' && met == holds, operator[0] == '>' && met == fails: // x < 3 holds if 3 goes up
		toLeft, toRight = testrun.Down, testrun.Up
	case operator[0] == '<', operator[0] == '>':
		toLeft, toRight = testrun.Up, testrun.Down
	}
	if edits := f.altered(right, toRight, s); edits != nil {
		return edits
	}
	return f.altered(left, toLeft, s)
}
