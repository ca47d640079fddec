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

// expectation reads what is chained to a value, and ends before a place.
func (f *finder) expectation(from int, got syntax.Expr, end int) int {
	links := f.Chain(end)
	if len(links) == 0 {
		return from
	}
	return expectation{finder: f, links: links, got: got, end: end}.read(from)
}

// expectation is one that is chained to a value.
type expectation struct {
	*finder
	links []syntax.Link
	got   syntax.Expr
	end   int // the place behind the value
}

var matcherPattern = lazyregexp.New(`^(?:to[A-Z]|toThrow$)`)

// read notes an expectation and returns the place behind it.
func (e expectation) read(from int) int {
	last := e.links[len(e.links)-1]
	matcher, style := last, e.words
	for _, l := range e.links {
		if matcherPattern.MatchString(e.Word(l.Name)) && l.Called() {
			matcher, style = l, e.matched
		}
	}
	var altered, negated []syntax.Edit
	before := len(e.Out)
	if not := slices.IndexFunc(e.links, func(l syntax.Link) bool { return e.Is(l.Name, "not") }); not >= 0 {
		name := e.links[not].Name
		negated = e.Replace(syntax.Expr{From: name - 1, To: name + 1}, "")
		if e.Find(e.got, "=>", "function") >= 0 {
			e.walk(e.got) // what must not throw may hold checks itself
		}
	} else {
		altered, negated = style(matcher)
	}
	if len(e.Out) == before {
		e.Note(syntax.Expr{From: from, To: e.LinkEnd(last)}, altered, negated).Guard = e.guards(e.Word(matcher.Name))
	}
	return e.LinkEnd(last)
}

// guards reports whether an expectation only says that there was no error on the way.
func (e expectation) guards(matcher string) bool {
	name := strings.ToLower(e.Source(e.got))
	return (name == "err" || name == "error") && slices.Contains([]string{"toBeNull", "toBeUndefined", "toBeFalsy", "null", "undefined"}, matcher)
}

// matched reads an expectation of Jest or Vitest.
func (e expectation) matched(m syntax.Link) (altered, negated []syntax.Edit) {
	name, args := e.Word(m.Name), e.Args(m.Open)
	negated = e.Insert(m.Name-2, ".not")
	if strings.Contains(name, "Snapshot") {
		negated = e.Wrap(e.got, "[", "]") // a snapshot of something else
	}
	switch {
	case strings.Contains(name, "Greater"):
		altered = e.First(args, syntax.Up)
	case strings.Contains(name, "Less"):
		altered = e.First(args, syntax.Down)
	case slices.Contains([]string{"toBe", "toEqual", "toStrictEqual", "toBeCloseTo", "toContain", "toHaveLength", "toMatch"}, name):
		altered = e.First(args[:min(1, len(args))], syntax.Other)
		if altered == nil && len(args) > 0 {
			altered = e.constant()
		}
	case strings.HasPrefix(name, "toThrow") || strings.HasPrefix(name, "toBeInstanceOf"):
		altered = e.errorOf(args)
	case strings.HasSuffix(name, "toSatisfy"), name == "toBeOneOf", name == "toMatchSnapshot", name == "toMatchFileSnapshot":
	default:
		altered = e.Last(args)
	}
	return altered, negated
}

// constant alters the value itself where that is what is written out.
func (e expectation) constant() []syntax.Edit {
	if got := e.Core(e.got); got.To == got.From+1 && e.Kind(got.From) != syntax.Word || e.Find(got, ".", "(") < 0 && e.Kind(got.From) == syntax.Word {
		return e.Altered(got, syntax.Other)
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
func (e expectation) words(l syntax.Link) (altered, negated []syntax.Edit) {
	negated = e.Insert(e.end-1, ".not")
	name := strings.ToLower(e.Word(l.Name))
	if !l.Called() {
		if e.Is(l.Name, "true", "false") {
			altered = e.Replace(syntax.Expr{From: l.Name, To: l.Name + 1}, map[string]string{"true": "false", "false": "true"}[name])
		}
		return altered, negated
	}
	args := e.Args(l.Open)
	switch name {
	case "above", "gt", "greaterthan", "least", "gte":
		altered = e.First(args, syntax.Up)
	case "below", "lt", "lessthan", "most", "lte":
		altered = e.First(args, syntax.Down)
	case "satisfy", "satisfies", "oneof", "within", "change", "changes", "increase", "decrease":
	case "throw", "throws", "throwerror", "rejectedwith", "instanceof":
		altered = e.errorOf(args)
	case "property", "ownproperty", "attribute", "nested", "callcount":
		altered = e.Last(args)
	default:
		altered = e.First(args, syntax.Other)
	}
	return altered, negated
}
