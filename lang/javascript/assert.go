package javascript

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
)

// assert reads a call of an assertion library: assert(x), assert.equal(a, b),
// t.assert.strict.equal(a, b).
func (f *finder) assert(i int, s scope) int {
	links, from := f.chain(i+1), i
	if f.at(i-1) == "." {
		from = i - 2
	}
	if len(links) == 0 {
		if f.at(i+1) != "(" {
			return i
		}
		return f.assertion(assertion{from: from, at: i, open: i + 1, name: "ok"}, s)
	}
	last := links[len(links)-1]
	if !last.called() {
		return i
	}
	return f.assertion(assertion{from: from, at: last.name, open: last.open, name: f.at(last.name)}, s)
}

// byName reads a call of an assertion that was imported by its name.
func (f *finder) byName(i int, s scope) int {
	return f.assertion(assertion{from: i, at: i, open: i + 1, name: f.functions[f.at(i)], alone: true}, s)
}

// foreign reads a call of an assertion of which nothing is known but that it
// throws. Where checks stand in it, those count.
func (f *finder) foreign(i int, s scope) int {
	at := i + 1
	for _, l := range f.chain(i + 1) {
		at = l.name + 1
	}
	if f.at(at) != "(" {
		return i
	}
	before, end := len(f.out), f.mate[at]+1
	from := i - 2
	if f.walk(f.inside(at), s); len(f.out) == before {
		f.note(testrun.Check{At: f.span(part{from, end}), Negated: f.swallowed(part{from, end})}, s)
	}
	return end
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
func (f *finder) assertion(a assertion, s scope) int {
	args, end := f.args(a.open), f.mate[a.open]+1
	if len(args) == 0 || a.name == "fail" || a.name == "plan" {
		return end
	}
	c := testrun.Check{At: f.span(part{a.from, end}), Guard: a.name == "ifError", Altered: f.asserted(a.name, args, s), Negated: f.contrary(a, end)}
	before := len(f.out)
	if strings.HasPrefix(strings.ToLower(a.name), "doesnot") && c.Altered == nil {
		f.walk(args[0], s)
	}
	if len(f.out) == before {
		f.note(c, s)
	}
	return end
}

// asserted alters what an assertion expects.
func (f *finder) asserted(name string, args []part, s scope) []testrun.Edit {
	values := slices.Clone(args[:min(2, len(args))])
	slices.Reverse(values)
	switch lower := strings.ToLower(name); {
	case slices.Contains([]string{"ok", "isok", "istrue", "exists"}, lower):
		return f.decided(args[0], fails, s)
	case slices.Contains([]string{"isfalse", "isnotok"}, lower):
		return f.decided(args[0], holds, s)
	case strings.HasPrefix(lower, "not"), strings.HasPrefix(lower, "does"), strings.HasPrefix(lower, "isnot"), lower == "iferror":
		return nil
	case lower == "snapshot":
		return nil
	case lower == "throws", lower == "rejects", lower == "throwsasync", strings.HasPrefix(lower, "instanceof"), lower == "throw":
		return f.errorOf(f.expectedError(args), s)
	case strings.HasPrefix(lower, "isabove"), strings.HasPrefix(lower, "isatleast"):
		return f.first(args[1:min(2, len(args))], testrun.Up, s)
	case strings.HasPrefix(lower, "isbelow"), strings.HasPrefix(lower, "isatmost"):
		return f.first(args[1:min(2, len(args))], testrun.Down, s)
	case lower == "property" || lower == "oneof" || strings.HasPrefix(lower, "is") && lower != "is":
		return nil
	case strings.HasSuffix(lower, "propertyval"), strings.HasPrefix(lower, "propert"):
		return f.first(args[min(2, len(args)):], testrun.Other, s)
	}
	return f.first(values, testrun.Other, s)
}

// expectedError is the arguments that say what must be thrown: in chai also a text
// of it, elsewhere a text is what is said if nothing is.
func (f *finder) expectedError(args []part) []part {
	if f.chai {
		return args[1:min(3, len(args))]
	}
	return slices.DeleteFunc(slices.Clone(args[1:min(2, len(args))]), func(p part) bool { return strings.IndexAny(f.text(p), "'\"`") == 0 })
}

// contrary turns the sense of an assertion round.
func (f *finder) contrary(a assertion, end int) []testrun.Edit {
	args := f.args(a.open)
	if a.name == "snapshot" {
		return f.around(args[0], "[", "]")
	}
	if slices.Contains([]string{"ok", "isOk", "isTrue", "isFalse", "isNotOk"}, a.name) {
		return f.around(args[0], "!(", ")")
	}
	opposite := f.opposites()[a.name]
	switch {
	case a.ava && strings.HasSuffix(strings.ToLower(a.name), "throws"): // doesNotThrow is called otherwise there
		return f.replace(part{a.at, a.at + 1}, map[string]string{"throws": "notThrows", "notThrows": "throws"}[a.name])
	case opposite == "" && a.ava:
		return nil // they need not throw
	case opposite == "":
		return f.swallowed(part{a.from, end})
	case !a.alone:
		return f.replace(part{a.at, a.at + 1}, opposite)
	}
	head := map[bool]string{
		true: "import tdd$assert from 'node:assert/strict'; import", false: "const tdd$assert = require('node:assert/strict'); " + f.at(f.imported),
	}[f.at(f.imported) == "import"]
	return append(f.replace(part{f.imported, f.imported + 1}, head), f.replace(part{a.at, a.at + 1}, "tdd$assert."+opposite)...)
}

// swallowed turns the sense of a statement round that says nothing or throws.
func (f *finder) swallowed(p part) []testrun.Edit {
	waits := false
	for i := p.from; i < p.to; i++ {
		waits = waits || f.at(i) == "await"
	}
	switch s := f.at(p.from - 1); {
	case s == "await", s == "return":
		return f.around(p, "(async () => { try { await (", "); } catch { return; } throw new Error('tdd: it passed'); })()")
	case waits:
		return f.around(p, "await (async () => { try { await (", "); } catch { return; } throw new Error('tdd: it passed'); })()")
	}
	return f.around(p, "void (() => { try { (", "); } catch { return; } throw new Error('tdd: it passed'); })()")
}

// avaName is the name of an assertion of AVA, as others have it where it differs.
func avaName(name string) string {
	switch name {
	case "true", "truthy", "assert":
		return "ok"
	case "false", "falsy":
		return "isFalse"
	case "is", "not", "deepEqual", "notDeepEqual", "throws", "notThrows", "throwsAsync", "notThrowsAsync", "regex", "notRegex", "like", "snapshot":
		return name
	}
	return ""
}

// opposites are the assertions of node, or of chai, that say the contrary of each
// other.
func (f *finder) opposites() map[string]string {
	out := map[string]string{}
	pairs := "equal notEqual strictEqual notStrictEqual deepEqual notDeepEqual deepStrictEqual notDeepStrictEqual throws doesNotThrow rejects doesNotReject match doesNotMatch " +
		"is not throwsAsync notThrowsAsync regex notRegex"
	if f.chai {
		pairs += ` match notMatch isNull isNotNull isUndefined isDefined include notInclude property notProperty isAbove isAtMost
			isBelow isAtLeast instanceOf notInstanceOf typeOf notTypeOf isEmpty isNotEmpty sameMembers notSameMembers exists notExists
			isArray isNotArray isString isNotString isNumber isNotNumber isObject isNotObject isFunction isNotFunction deepInclude notDeepInclude
			hasAllKeys doesNotHaveAllKeys hasAnyKeys doesNotHaveAnyKeys`
	}
	words := strings.Fields(pairs)
	for i := 0; i < len(words); i += 2 {
		out[words[i]], out[words[i+1]] = words[i+1], words[i]
	}
	return out
}
