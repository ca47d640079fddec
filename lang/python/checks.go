package python

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

// finder collects the checks of a file.
type finder struct {
	*source
	fn      function        // the one under way
	helpers map[string]bool // functions of the file that check something
	out     []testrun.Check
}

// checks finds what decides whether the tests of a file pass.
func checks(content string, _ gates.Kind) []testrun.Check {
	f := &finder{source: parse(content), helpers: map[string]bool{}}
	functions := f.functions()
	for _, fn := range functions {
		if !fn.isTest() {
			f.function(fn)
			f.helpers[fn.name] = len(f.out) > 0 && f.out[len(f.out)-1].Unit == unit(fn)
		}
	}
	for _, fn := range functions {
		if fn.isTest() {
			f.function(fn)
		}
	}
	return f.out
}

// unit tells functions of one name apart.
func unit(fn function) string { return fn.name + "@" + strconv.Itoa(fn.at.Start) }

// function collects the checks of a function. A test without any has one that says
// no more than where the test is.
func (f *finder) function(fn function) {
	f.fn = fn
	before := len(f.out)
	f.body(fn, f.statement)
	if fn.isTest() && len(f.out) == before {
		f.add(testrun.Check{At: fn.at})
	}
	guarding := false
	for i := len(f.out) - 1; i >= before; i-- {
		f.out[i].Guard = f.out[i].Guard && guarding
		guarding = guarding || !f.out[i].Guard
	}
}

// add adds a check of the function under way.
func (f *finder) add(c testrun.Check) {
	c.Unit, c.Body = unit(f.fn), f.fn.at
	if f.fn.isTest() {
		c.Test = f.fn.name
	}
	f.out = append(f.out, c)
}

// statement finds the checks of a statement.
func (f *finder) statement(index int) {
	e := f.statements[index].expr
	switch {
	case f.is(e, 0, "assert"):
		if cond := f.split(e[1:], ","); len(cond) > 0 && len(cond[0]) > 0 && !f.failing(e) {
			f.condition(cond[0], false, guards(f.of(cond[0].span())))
		}
	case f.is(e, 0, "if", "elif") && len(e) > 1 && f.fails(index):
		f.condition(e[1:], true, false)
	case f.is(e, 0, "else") && f.fails(index):
		if head := f.before(index); head >= 0 && f.is(f.statements[head].expr, 0, "if") && len(f.statements[head].expr) > 1 {
			f.condition(f.statements[head].expr[1:], false, false)
		}
	case f.is(e, 0, "except") && len(e) > 1:
		f.caught(index)
	default:
		f.calls(e)
	}
}

var guardPattern = lazyregexp.New(`(?s)^(?:isinstance|callable|hasattr)\s*\(|\bis\s+not\s+None$`)

// guards reports whether a condition only says that there is something to check.
func guards(masked string) bool { return guardPattern.MatchString(masked) }

// condition notes a condition that fails the test if it is met, or if it is not.
func (f *finder) condition(e expr, failsIfMet sense, guard bool) {
	a := f.decided(e, failsIfMet)
	f.add(testrun.Check{At: e.span(), Guard: guard, Altered: a.edits, Values: a.values, Negated: testrun.Around(e.span(), " not (", ")")})
}

// before is the statement of the same block before a statement, or the one that
// its block hangs on; -1 if there is none.
func (f *finder) before(index int) int {
	for i := index - 1; i >= 0 && i > f.statements[index].parent; i-- {
		if f.statements[i].parent == f.statements[index].parent {
			return i
		}
	}
	return -1
}

// fails reports whether a statement of a block fails the test.
func (f *finder) fails(head int) bool {
	for i := head + 1; i <= f.statements[head].last; i++ {
		if f.statements[i].parent == head && f.failing(f.statements[i].expr) {
			return true
		}
	}
	return false
}

var failingPattern = lazyregexp.New(`(?s)^(?:assert\s*\(?\s*(?:False|0|None)\s*(?:$|[,)])|raise\s+(?:self\.failureException|AssertionError)\b|(?:self|cls|pytest)\.fail\s*\(|fail\s*\()`)

// failing reports whether a statement fails the test by itself.
func (f *finder) failing(e expr) bool { return failingPattern.MatchString(f.of(e.span())) }

// caught notes an exception that is expected: one that is caught where the test
// would fail without it.
func (f *finder) caught(index int) {
	try := f.before(index)
	if try < 0 || !f.is(f.statements[try].expr, 0, "try") || !f.fails(try) {
		return
	}
	kinds := f.statements[index].expr[1:]
	if as := slices.IndexFunc(kinds, func(t token) bool { return f.of(t.Span) == "as" }); as > 0 {
		kinds = kinds[:as]
	}
	f.raised(kinds, kinds, "Exception")
}

// raised notes that an exception of a class is expected: another class is one that
// nothing raises. One that ends the run where it is not caught stays.
func (f *finder) raised(check, class expr, base string) {
	text := f.read(class.span())
	another := `type("Tdd", (` + base + `,), {})`
	switch {
	case strings.Contains(text, "KeyboardInterrupt"):
		return
	case len(class) == 1 && class[0].kind == word && strings.ToLower(text) == text:
		another = "(" + text + " if KeyboardInterrupt in getattr(" + text + `, "__mro__", ()) else ` + another + ")"
	}
	f.add(testrun.Check{At: check.span(), Altered: replaced(class.span(), another).edits, Values: f.written(class)})
}

// sense is whether a condition is to be met.
type sense bool

// decided alters what a condition expects, so that it is met, or is not. Nothing
// comes of a condition that no other value would decide.
func (f *finder) decided(e expr, met sense) alteration {
	for _, joint := range []string{"or", "and"} {
		if parts := f.split(e, joint); len(parts) > 1 {
			var all alteration
			for _, p := range parts {
				all = all.plus(f.decided(p, met))
			}
			return all
		}
	}
	switch {
	case len(e) == 0 || slices.ContainsFunc(e, func(t token) bool { return slices.Contains([]string{"if", "lambda", ":="}, f.of(t.Span)) }):
		return alteration{}
	case f.is(e, 0, "not"):
		return f.decided(e[1:], !met)
	case len(e) == 1 && e[0].kind == group && f.masked[e[0].Start] == '(':
		return f.decided(f.inner(e[0]), met)
	}
	if left, sign, right := f.comparison(e); sign != "" {
		return f.compared(left, sign, right, met)
	}
	return f.predicate(e, met)
}

// comparison takes the last comparison of an expression apart; the sign is empty
// if it has none.
func (f *finder) comparison(e expr) (left expr, sign string, right expr) {
	for i := len(e) - 2; i > 0; i-- {
		switch sign := f.of(e[i].Span); sign {
		case "==", "!=", "<", "<=", ">", ">=":
			return e[:i], sign, e[i+1:]
		case "in", "is":
			switch {
			case f.is(e, i-1, "not"):
				return e[:i-1], "not " + sign, e[i+1:]
			case f.is(e, i+1, "not"):
				return e[:i], "is not", e[i+2:]
			}
			return e[:i], sign, e[i+1:]
		}
	}
	return nil, "", nil
}

// compared is decided for a comparison.
func (f *finder) compared(left expr, sign string, right expr, met sense) alteration {
	if before, _, _ := f.comparison(left); before != nil && sign != "==" && sign[0] != '<' && sign[0] != '>' {
		return alteration{}
	}
	switch sign {
	case "==", "!=":
		if bool(met) == (sign == "!=") {
			return f.operand(left, right, testrun.Other, testrun.Other)
		}
	case "<", "<=", ">", ">=":
		if bool(met) == (sign[0] == '<') {
			return f.operand(left, right, testrun.Down, testrun.Up) // x < 3 holds if 3 goes up, 3 < x if 3 goes down
		}
		return f.operand(left, right, testrun.Up, testrun.Down)
	case "in", "not in":
		if bool(met) == (sign == "not in") && len(left) > 0 && left[0].kind != group {
			return f.altered(left, testrun.Other)
		}
	case "is", "is not":
		if bool(met) == (sign == "is not") && f.is(right, 0, "True", "False") {
			return f.altered(right, testrun.Other)
		}
	}
	return alteration{}
}

// operand alters the operand of a comparison that is written out: the right one
// where both are.
func (f *finder) operand(left, right expr, toLeft, toRight testrun.Way) alteration {
	if a := f.altered(right, toRight); a.edits != nil {
		return a
	}
	if before, sign, last := f.comparison(left); sign != "" && before != nil {
		left = last // in a chain the middle
	}
	return f.altered(left, toLeft)
}

// predicates are functions and methods one of whose arguments is a value that
// something is compared with: by its place.
func predicates() map[string]int {
	return map[string]int{
		"startswith": 0, "endswith": 0, "match": 0, "search": 0, "fullmatch": 0, "array_equal": 1, "allclose": 1, "isclose": 1, "equals": 0,
	}
}

// predicate is decided for a call that compares.
func (f *finder) predicate(e expr, met sense) alteration {
	last := len(e) - 1
	if met || last < 1 || e[last].kind != group {
		return alteration{}
	}
	place, known := predicates()[f.of(e[last-1].Span)]
	if args := f.split(f.inner(e[last]), ","); known && place < len(args) {
		return f.altered(args[place], testrun.Other)
	}
	return alteration{}
}
