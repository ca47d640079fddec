package javascript

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

// expect reads expect(…) with what is chained to it, as Jest, Vitest or chai has it.
func (f *finder) expect(i int, s scope) int {
	open := f.arguments(i + 1)
	if open < 0 {
		if links := f.chain(i + 1); len(links) > 0 && links[0].called() && slices.Contains([]string{"soft", "poll"}, f.at(links[0].name)) {
			open = links[0].open
		}
	}
	if open < 0 {
		return i
	}
	links := f.chain(f.mate[open] + 1)
	if len(links) == 0 {
		return i
	}
	e := expectation{finder: f, links: links, got: f.inside(open), end: f.mate[open] + 1, scope: s}
	return e.read(i)
}

// should reads x.should with what is chained to it.
func (f *finder) should(i int, s scope) int {
	links := f.chain(i + 1)
	if len(links) == 0 {
		return i
	}
	e := expectation{finder: f, links: links, got: part{i, i}, end: i + 1, scope: s}
	return e.read(i)
}

// expectation is one that is chained to a value.
type expectation struct {
	*finder
	links []link
	got   part
	end   int // the place behind the value
	scope scope
}

var matcherPattern = lazyregexp.New(`^(?:to[A-Z]|toThrow$)`)

// read notes an expectation and returns the place behind it.
func (e expectation) read(from int) int {
	last := e.links[len(e.links)-1]
	matcher, style := last, e.words
	for _, l := range e.links {
		if matcherPattern.MatchString(e.at(l.name)) && l.called() {
			matcher, style = l, e.matched
		}
	}
	c := style(matcher)
	c.At = e.span(part{from, e.finder.end(last)})
	if name := e.at(matcher.name); name == "toThrow" || strings.HasPrefix(name, "toBe") || strings.HasPrefix(name, "not") || !matcher.called() {
		c.Guard = e.guards(name)
	}
	before := len(e.out)
	if c.Altered == nil && e.negative() >= 0 && e.calls() {
		e.walk(e.got, e.scope) // what must not throw may hold checks itself
	}
	if len(e.out) == before {
		e.note(c, e.scope)
	}
	return e.finder.end(last)
}

// calls reports whether the value is a function that is written out.
func (e expectation) calls() bool { return e.find(e.got, "=>", "function") >= 0 }

// guards reports whether an expectation only says that there was no error on the
// way.
func (e expectation) guards(matcher string) bool {
	name := strings.ToLower(e.text(e.got))
	return (name == "err" || name == "error") && slices.Contains([]string{"toBeNull", "toBeUndefined", "toBeFalsy", "null", "undefined"}, matcher)
}

// negative is the link that says not; -1 if there is none.
func (e expectation) negative() int {
	return slices.IndexFunc(e.links, func(l link) bool { return e.at(l.name) == "not" })
}

// without takes a link out of the chain.
func (e expectation) without(l link) []testrun.Edit {
	return e.replace(part{l.name - 1, l.name + 1}, "")
}

// insert puts a text behind a token.
func (e expectation) insert(behind int, text string) []testrun.Edit {
	at := e.toks[behind].end
	return []testrun.Edit{{Span: testrun.Span{Start: at, End: at}, Text: text}}
}

// matched reads an expectation of Jest or Vitest.
func (e expectation) matched(m link) testrun.Check {
	name := e.at(m.name)
	var c testrun.Check
	args := e.args(m.open)
	if not := e.negative(); not >= 0 {
		c.Negated = e.without(e.links[not])
		return c
	}
	c.Negated = e.insert(m.name-2, ".not")
	if strings.Contains(name, "Snapshot") {
		c.Negated = e.around(e.got, "[", "]") // a snapshot of something else
	}
	switch {
	case strings.Contains(name, "Greater"):
		c.Altered = e.first(args, testrun.Up, e.scope)
	case strings.Contains(name, "Less"):
		c.Altered = e.first(args, testrun.Down, e.scope)
	case slices.Contains([]string{"toBe", "toEqual", "toStrictEqual", "toBeCloseTo", "toContain", "toHaveLength", "toMatch"}, name):
		c.Altered = e.first(args[:min(1, len(args))], testrun.Other, e.scope)
		if c.Altered == nil && len(args) > 0 {
			c.Altered = e.constant()
		}
	case strings.HasPrefix(name, "toThrow") || strings.HasPrefix(name, "toBeInstanceOf"):
		c.Altered = e.thrown(args)
	case strings.HasSuffix(name, "toSatisfy"), name == "toBeOneOf", name == "toMatchSnapshot", name == "toMatchFileSnapshot":
	default:
		c.Altered = e.last(args, e.scope)
	}
	return c
}

// constant alters the value itself where that is what is written out.
func (e expectation) constant() []testrun.Edit {
	if got := e.bare(e.got); got.to == got.from+1 && e.kind(got.from) != wordKind || e.find(got, ".", "(") < 0 && e.kind(got.from) == wordKind {
		return e.altered(got, testrun.Other, e.scope)
	}
	return nil
}

var classPattern = lazyregexp.New(`^(?:[\w$]+\.)*[A-Z][\w$]*$`)

// errorOf alters an error that is expected: its message, or its class.
func (f *finder) errorOf(args []part, s scope) []testrun.Edit {
	if edits := f.last(args, s); edits != nil {
		return edits
	}
	for _, p := range args {
		if p = f.bare(p); classPattern.MatchString(f.text(p)) {
			return f.replace(p, "class extends Error {}")
		}
	}
	return nil
}

func (e expectation) thrown(args []part) []testrun.Edit { return e.errorOf(args, e.scope) }

// words reads an expectation of chai, which is a sentence.
func (e expectation) words(l link) testrun.Check {
	var c testrun.Check
	if not := e.negative(); not >= 0 {
		c.Negated = e.without(e.links[not])
		return c
	}
	if c.Negated = e.insert(e.end-1, ".not"); !l.called() {
		if name := e.at(l.name); name == "true" || name == "false" {
			c.Altered = e.replace(part{l.name, l.name + 1}, map[string]string{"true": "false", "false": "true"}[name])
		}
		return c
	}
	args := e.args(l.open)
	switch name := strings.ToLower(e.at(l.name)); name {
	case "above", "gt", "greaterthan", "least", "gte":
		c.Altered = e.first(args, testrun.Up, e.scope)
	case "below", "lt", "lessthan", "most", "lte":
		c.Altered = e.first(args, testrun.Down, e.scope)
	case "satisfy", "satisfies", "oneof", "within", "change", "changes", "increase", "decrease":
	case "throw", "throws", "throwerror", "rejectedwith", "instanceof", "instanceOf":
		c.Altered = e.errorOf(args, e.scope)
	case "property", "ownproperty", "attribute", "nested", "callcount":
		c.Altered = e.last(args, e.scope)
	default:
		c.Altered = e.first(args, testrun.Other, e.scope)
	}
	return c
}
