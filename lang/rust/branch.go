package rust

import (
	"slices"

	"github.com/git-tdd/git-tdd/testrun"
)

// branch notes an if one of whose arms fails the test.
func (f *checkFinder) branch(i int) {
	open := f.find(expr{i + 1, len(f.tokens)}, "{")
	if open < 0 {
		return
	}
	cond, then := expr{i + 1, open}, expr{open, f.group(open)}
	end, otherwise := then.to, expr{}
	if f.is(end, "else") && f.is(end+1, "{") {
		otherwise = expr{end + 1, f.group(end + 1)}
		end = otherwise.to
	}
	fails := f.fails(then)
	if fails == (otherwise.to > 0 && f.fails(otherwise)) {
		return
	}
	if !f.has(cond, "let") {
		f.note(expr{i, then.from}, f.decided(cond, sense(!fails)), f.negated(cond))
		return
	}
	passing := then.from + 1
	switch {
	case fails && otherwise.to > 0:
		passing = otherwise.from + 1
	case fails:
		passing = end
	}
	c := f.note(expr{i, then.from}, nil, []testrun.Edit{f.insert(passing, unreached)})
	c.Guard = !fails || f.is(cond.from+1, "Err") || f.is(cond.from+1, "None")
}

// find is the place of a token in an expression, outside of groups; -1 where it is
// not there.
func (f *checkFinder) find(e expr, want string) int {
	const most = 2000 // no condition is that long, and a hostile text is not read again and again
	for i := e.from; i < min(e.to, len(f.tokens), e.from+most); i = f.next(i) {
		switch {
		case f.is(i, want):
			return i
		case f.closes(i), f.is(i, ";"):
			return -1
		}
	}
	return -1
}

// letElse notes a binding that fails the test where the pattern does not match.
func (f *checkFinder) letElse(i int) {
	end := f.group(i + 1)
	if f.is(end, ";") && !f.is(i-1, "}") && f.fails(expr{i + 1, end}) {
		f.note(expr{i, end}, nil, []testrun.Edit{f.insert(end+1, unreached)}).Guard = true
	}
}

// fails reports whether a block fails the test, without a condition of its own.
func (f *checkFinder) fails(e expr) bool {
	for i := e.from; i < e.to; i++ {
		switch {
		case f.is(i, "if"), f.is(i, "match"):
			if open := f.find(expr{i + 1, e.to}, "{"); open > 0 {
				i = f.group(open) - 1
			}
		case f.is(i+1, "!") && slices.Contains([]string{"panic", "unreachable", "bail", "fail"}, f.text(i)):
			return true
		case f.is(i, "assert") && f.is(i+1, "!") && f.is(i+3, "false"):
			return true
		case f.is(i, "Err") && f.is(i+1, "(") && (f.is(i-1, "return") || f.is(i-1, "{") || f.is(i-1, ">")):
			return true
		}
	}
	return false
}

// match notes a match some of whose arms fail the test.
func (f *checkFinder) match(i int) {
	open := f.find(expr{i + 1, len(f.tokens)}, "{")
	if open < 0 {
		return
	}
	var altered, negated []testrun.Edit
	failing := false
	for at := open + 1; at < f.group(open)-1; {
		arrow := f.find(expr{at, f.group(open) - 1}, "=")
		for arrow > 0 && !f.is(arrow+1, ">") {
			arrow = f.find(expr{arrow + 1, f.group(open) - 1}, "=")
		}
		if arrow < 0 {
			return
		}
		body, next := f.arm(arrow+2, f.group(open)-1)
		if f.fails(body) {
			failing = true
		} else {
			altered = append(altered, f.literalIn(expr{at, arrow})...)
			negated = append(negated, f.armNegated(body)...)
		}
		at = next
	}
	if failing {
		f.note(expr{i, open}, altered, negated).Guard = altered == nil && (f.is(open+1, "Ok") || f.is(open+1, "Some"))
	}
}

// arm is the body of an arm that begins at a token, and where the next one begins.
func (f *checkFinder) arm(i, end int) (body expr, next int) {
	if f.is(i, "{") {
		body = expr{i, f.group(i)}
		next = body.to
	} else {
		body = expr{i, end}
		if comma := f.find(expr{i, end}, ","); comma > 0 {
			body.to = comma
		}
		next = body.to
	}
	if f.is(next, ",") {
		next++
	}
	return body, next
}

// armNegated makes an arm fail.
func (f *checkFinder) armNegated(body expr) []testrun.Edit {
	if f.is(body.from, "{") {
		return []testrun.Edit{f.insert(body.from+1, unreached)}
	}
	s := f.span(body)
	return []testrun.Edit{
		{Span: testrun.Span{Start: s.Start, End: s.Start}, Text: "{" + unreached + " "}, {Span: testrun.Span{Start: s.End, End: s.End}, Text: " }"},
	}
}
