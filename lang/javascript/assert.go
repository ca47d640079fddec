package javascript

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// assert reads a call of an assertion library: assert(x), assert.equal(a, b),
// t.assert.strict.equal(a, b).
func (f *finder) assert(i int) int {
	a := assertion{from: i, at: i, open: i + 1, name: "ok"}
	if f.Is(i-1, ".") {
		a.from = i - 2
	}
	if links := f.Chain(i + 1); len(links) > 0 {
		last := links[len(links)-1]
		a.at, a.open, a.name = last.Name, last.Open, f.Word(last.Name)
	}
	return f.assertion(a)
}

// foreign reads a call of an assertion of which nothing is known but that it
// throws. Where checks stand in it, those count.
func (f *finder) foreign(i int) int {
	at := i + 1
	for _, l := range f.Chain(i + 1) {
		at = l.Name + 1
	}
	if !f.Is(at, "(") {
		return i
	}
	before, call := len(f.Out), syntax.Expr{From: i - 2, To: f.Group(at)}
	if f.walk(f.Inside(at)); len(f.Out) == before {
		f.Note(call, nil, f.swallowed(call))
	}
	return call.To
}

// assertion is a call of an assertion.
type assertion struct {
	from  int    // where it begins
	at    int    // the token with its name
	open  int    // the bracket of its arguments
	name  string // as the library has it
	alone bool   // it was imported by its name
	ava   bool   // it is one of AVA's
}

// assertion notes a call of an assertion and returns the place behind it.
func (f *finder) assertion(a assertion) int {
	if !f.Is(a.open, "(") {
		return a.from
	}
	args, end := f.Args(a.open), f.Group(a.open)
	if len(args) == 0 || a.name == "fail" || a.name == "plan" {
		return end
	}
	altered, before := f.asserted(a.name, args), len(f.Out)
	if strings.HasPrefix(strings.ToLower(a.name), "doesnot") && altered == nil {
		f.walk(args[0])
	}
	if len(f.Out) == before {
		f.Note(syntax.Expr{From: a.from, To: end}, altered, f.contrary(a, end)).Guard = a.name == "ifError"
	}
	return end
}

// asserted alters what an assertion expects.
func (f *finder) asserted(name string, args []syntax.Expr) []syntax.Edit {
	switch lower := strings.ToLower(name); {
	case slices.Contains([]string{"ok", "isok", "istrue", "exists"}, lower):
		return f.Decided(args[0], true)
	case slices.Contains([]string{"isfalse", "isnotok"}, lower):
		return f.Decided(args[0], false)
	case output.HasAnyPrefix(lower, "not", "does", "isnot"), lower == "iferror", lower == "snapshot":
		return nil
	case lower == "throws", lower == "rejects", lower == "throwsasync", strings.HasPrefix(lower, "instanceof"), lower == "throw":
		return f.errorOf(f.expectedError(args))
	case strings.HasPrefix(lower, "isabove"), strings.HasPrefix(lower, "isatleast"):
		return f.First(args[1:min(2, len(args))], syntax.Up)
	case strings.HasPrefix(lower, "isbelow"), strings.HasPrefix(lower, "isatmost"):
		return f.First(args[1:min(2, len(args))], syntax.Down)
	case lower == "property" || lower == "oneof" || strings.HasPrefix(lower, "is") && lower != "is":
		return nil
	case strings.HasSuffix(lower, "propertyval"), strings.HasPrefix(lower, "propert"):
		return f.First(args[min(2, len(args)):], syntax.Other)
	}
	return f.Last(args[:min(2, len(args))])
}

// expectedError is the arguments that say what must be thrown: in chai also a text
// of it, elsewhere a text is what is said if nothing is.
func (f *finder) expectedError(args []syntax.Expr) []syntax.Expr {
	if f.chai {
		return args[1:min(3, len(args))]
	}
	return slices.DeleteFunc(slices.Clone(args[1:min(2, len(args))]), func(p syntax.Expr) bool { return strings.IndexAny(f.Source(p), "'\"`") == 0 })
}

// contrary turns the sense of an assertion round.
func (f *finder) contrary(a assertion, end int) []syntax.Edit {
	args, opposite := f.Args(a.open), f.opposites()[a.name]
	if a.ava {
		opposite = cmp.Or(syntax.Contraries("throws notThrows")[a.name], opposite)
	}
	switch {
	case a.name == "snapshot":
		return f.Wrap(args[0], "[", "]")
	case slices.Contains([]string{"ok", "isOk", "isTrue", "isFalse", "isNotOk"}, a.name):
		return f.Wrap(args[0], "!(", ")")
	case opposite == "" && a.ava:
		return nil // they need not throw
	case opposite == "":
		return f.swallowed(syntax.Expr{From: a.from, To: end})
	case !a.alone:
		return f.Replace(syntax.Expr{From: a.at, To: a.at + 1}, opposite)
	}
	head := map[bool]string{
		true: "import tdd$assert from 'node:assert/strict'; import", false: "const tdd$assert = require('node:assert/strict'); " + f.Word(f.imported),
	}[f.Is(f.imported, "import")]
	return append(f.Replace(syntax.Expr{From: f.imported, To: f.imported + 1}, head), f.Replace(syntax.Expr{From: a.at, To: a.at + 1}, "tdd$assert."+opposite)...)
}

// swallowed turns the sense of a statement round that says nothing or throws.
func (f *finder) swallowed(p syntax.Expr) []syntax.Edit {
	const behind = "); } catch { return; } throw new Error('tdd: it passed'); })()"
	switch {
	case f.Is(p.From-1, "await", "return"):
		return f.Wrap(p, "(async () => { try { await (", behind)
	case p.Where(func(i int) bool { return f.Is(i, "await") }) >= 0:
		return f.Wrap(p, "await (async () => { try { await (", behind)
	}
	return f.Wrap(p, "void (() => { try { (", behind)
}

// avaName is the name of an assertion of AVA, as others have it where it differs.
func avaName(name string) string {
	if slices.Contains(strings.Fields("is not deepEqual notDeepEqual throws notThrows throwsAsync notThrowsAsync regex notRegex like snapshot"), name) {
		return name
	}
	return map[string]string{"true": "ok", "truthy": "ok", "assert": "ok", "false": "isFalse", "falsy": "isFalse"}[name]
}

// opposites are the assertions of node, or of chai, that say the contrary of each other.
func (f *finder) opposites() map[string]string {
	pairs := `equal notEqual strictEqual notStrictEqual deepEqual notDeepEqual deepStrictEqual notDeepStrictEqual throws doesNotThrow rejects doesNotReject
		is not throwsAsync notThrowsAsync regex notRegex match doesNotMatch`
	if f.chai {
		pairs += ` match notMatch isNull isNotNull isUndefined isDefined include notInclude property notProperty isAbove isAtMost
			isBelow isAtLeast instanceOf notInstanceOf typeOf notTypeOf isEmpty isNotEmpty sameMembers notSameMembers exists notExists
			isArray isNotArray isString isNotString isNumber isNotNumber isObject isNotObject isFunction isNotFunction deepInclude notDeepInclude
			hasAllKeys doesNotHaveAllKeys hasAnyKeys doesNotHaveAnyKeys`
	}
	return syntax.Contraries(pairs)
}
