package javascript

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// expect reads expect(…) with what is chained to it, as Jest, Vitest or chai has it.
func (f *finder) expect(i int) int {
	open := i + 1
	if f.Is(open, ".") && f.Is(open+1, "soft", "poll") {
		open += 2
	}
	if open = f.Arguments(open); open < 0 {
		return i
	}
	return f.expectation(i, f.Inside(open), f.Group(open))
}

var matcherPattern = lazyregexp.New(`^(?:to[A-Z]|toThrow$)`)

// expectation notes what is chained to a value that ends before a place, and returns the
// place behind it.
func (f *finder) expectation(from int, got syntax.Expr, end int) int {
	links := f.Chain(end)
	if len(links) == 0 {
		return from
	}
	last := links[len(links)-1]
	matcher, style := last, f.words
	for _, l := range links {
		if matcherPattern.MatchString(f.Word(l.Name)) && l.Called() {
			matcher, style = l, f.matched
		}
	}
	var altered, negated []syntax.Edit
	before := len(f.Out)
	if not := slices.IndexFunc(links, func(l syntax.Link) bool { return f.Is(l.Name, "not") }); not >= 0 {
		name := links[not].Name
		negated = f.Replace(syntax.Expr{From: name - 1, To: name + 1}, "")
		if f.Find(got, "=>", "function") >= 0 {
			f.walk(got) // what must not throw may hold checks itself
		}
	} else {
		altered, negated = style(got, end, matcher)
	}
	if len(f.Out) == before {
		name := strings.ToLower(f.Source(got)) // where that is an error, there was none on the way
		f.Note(syntax.Expr{From: from, To: f.LinkEnd(last)}, altered, negated).Guard = (name == "err" || name == "error") &&
			f.Is(matcher.Name, "toBeNull", "toBeUndefined", "toBeFalsy", "null", "undefined")
	}
	return f.LinkEnd(last)
}

// matched reads an expectation of Jest or Vitest.
func (f *finder) matched(got syntax.Expr, _ int, m syntax.Link) (altered, negated []syntax.Edit) {
	name, args := f.Word(m.Name), f.Args(m.Open)
	negated = f.Insert(m.Name-2, ".not")
	if strings.Contains(name, "Snapshot") {
		negated = f.Wrap(got, "[", "]") // a snapshot of something else
	}
	switch {
	case strings.Contains(name, "Greater"):
		altered = f.First(args, syntax.Up)
	case strings.Contains(name, "Less"):
		altered = f.First(args, syntax.Down)
	case f.Is(m.Name, "toBe", "toEqual", "toStrictEqual", "toBeCloseTo", "toContain", "toHaveLength", "toMatch"):
		altered = f.First(args[:min(1, len(args))], syntax.Other)
		if altered == nil && len(args) > 0 {
			altered = f.constant(got)
		}
	case strings.HasPrefix(name, "toThrow") || strings.HasPrefix(name, "toBeInstanceOf"):
		altered = f.errorOf(args)
	case strings.HasSuffix(name, "toSatisfy"), f.Is(m.Name, "toBeOneOf", "toMatchSnapshot", "toMatchFileSnapshot"):
	default:
		altered = f.Last(args)
	}
	return altered, negated
}

// constant alters the value itself where that is what is written out.
func (f *finder) constant(got syntax.Expr) []syntax.Edit {
	if got = f.Core(got); got.To == got.From+1 && !f.Named(got.From) || f.Find(got, ".", "(") < 0 && f.Named(got.From) {
		return f.Altered(got, syntax.Other)
	}
	return nil
}

var classPattern = lazyregexp.New(`^(?:[\w$]+\.)*[A-Z][\w$]*$`)

// errorOf alters an error that is expected: its message, or its class.
func (f *finder) errorOf(args []syntax.Expr) []syntax.Edit {
	if edits := f.Last(args); edits != nil {
		return edits
	}
	for _, p := range args {
		if p = f.Core(p); classPattern.MatchString(f.Source(p)) {
			return f.Replace(p, "class extends Error {}")
		}
	}
	return nil
}

// words reads an expectation of chai, which is a sentence.
func (f *finder) words(_ syntax.Expr, end int, l syntax.Link) (altered, negated []syntax.Edit) {
	negated = f.Insert(end-1, ".not")
	name := strings.ToLower(f.Word(l.Name))
	if !l.Called() {
		if f.Is(l.Name, "true", "false") {
			altered = f.Replace(syntax.Expr{From: l.Name, To: l.Name + 1}, map[string]string{"true": "false", "false": "true"}[name])
		}
		return altered, negated
	}
	args := f.Args(l.Open)
	switch name {
	case "above", "gt", "greaterthan", "least", "gte":
		altered = f.First(args, syntax.Up)
	case "below", "lt", "lessthan", "most", "lte":
		altered = f.First(args, syntax.Down)
	case "satisfy", "satisfies", "oneof", "within", "change", "changes", "increase", "decrease":
	case "throw", "throws", "throwerror", "rejectedwith", "instanceof":
		altered = f.errorOf(args)
	case "property", "ownproperty", "attribute", "nested", "callcount":
		altered = f.Last(args)
	default:
		altered = f.First(args, syntax.Other)
	}
	return altered, negated
}
