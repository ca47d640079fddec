package php

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// checks finds what decides whether the tests of a file pass.
func checks(test string, _ gates.Kind) []testrun.Check {
	f := &finder{src: test}
	f.bare, f.masked = mask(test)
	tests := declared(test)
	f.methods = f.functions()
	for _, m := range f.methods {
		f.method = m
		if f.test = ""; slices.Contains(tests, m.name) {
			f.test = m.name
		}
		f.assertions()
		f.expectations()
	}
	return f.out
}

// finder collects the checks of a file.
type finder struct {
	src, bare, masked string
	methods           []method
	out               []testrun.Check

	// These are of the method under way.
	method
	test string // its name if it is a test
}

// method is a method or a function.
type method struct {
	name   string
	lead   string // what stands before it: comments and attributes
	params []string
	body   testrun.Span
}

var paramPattern = lazyregexp.New(`\$(\w+)`)

// functions lists the methods of a file.
func (f *finder) functions() []method {
	var out []method
	before := 0
	for _, at := range methodPattern.FindAllStringSubmatchIndex(f.masked, -1) {
		open := at[1] - 1
		end := scan.Closing(f.masked, open)
		brace := strings.IndexAny(f.masked[end:], "{;")
		if brace < 0 || f.masked[end+brace] != '{' {
			continue // it is abstract
		}
		m := method{name: f.src[at[2]:at[3]], lead: f.src[before:at[0]]}
		m.lead = m.lead[strings.LastIndexAny(m.lead, ";{}")+1:]
		m.body = testrun.Span{Start: end + brace, End: scan.Closing(f.masked, end+brace)}
		for _, p := range f.list(testrun.Span{Start: open, End: end}) {
			if hit := paramPattern.FindStringSubmatch(f.bare[p.Start:p.End]); hit != nil {
				m.params = append(m.params, hit[1])
			}
		}
		before = at[1]
		out = append(out, m)
	}
	return out
}

// list divides what stands between two brackets at its commas.
func (f *finder) list(brackets testrun.Span) []testrun.Span {
	var out []testrun.Span
	from := brackets.Start + 1
	for at := from; at < brackets.End; at++ {
		switch f.masked[at] {
		case '(', '[', '{':
			at = scan.Closing(f.masked, at) - 1
		case ',', ')', ']', '}':
			if s := f.trimmed(testrun.Span{Start: from, End: at}); s.Start < s.End {
				out = append(out, s)
			}
			from = at + 1
		}
	}
	return out
}

// trimmed is a part of the text without the white space and the comments around it,
// and without the name of an argument.
func (f *finder) trimmed(s testrun.Span) testrun.Span {
	if name := argumentPattern.FindString(f.bare[s.Start:s.End]); name != "" {
		s.Start += len(name)
	}
	text := f.bare[s.Start:s.End]
	s.Start += len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	s.End -= len(text) - len(strings.TrimRight(text, " \t\r\n"))
	return testrun.Span{Start: min(s.Start, s.End), End: s.End}
}

var (
	argumentPattern = lazyregexp.New(`^\s*[A-Za-z_]\w*:\s`)
	assertPattern   = lazyregexp.New(`(?:\$this->|\b(?:self|static|parent|Assert|\w+\\Assert)::|[^>:\w$\\])(assert[A-Z]\w*)\s*\(`)
	expectPattern   = lazyregexp.New(`\$this->(expect[A-Z]\w*)\s*\(`)
	mockPattern     = lazyregexp.New(`->(expects|with|withConsecutive)\s*\(`)
	timesPattern    = lazyregexp.New(`^(?:\$this->|self::|static::)(once|never|atLeastOnce|exactly|any)\(\s*(\d*)`)
)

// note adds a check to those of the method.
func (f *finder) note(c testrun.Check) {
	if c.Altered != nil || c.Negated != nil {
		c.Test, c.Unit = f.test, f.name
		f.out = append(f.out, c)
	}
}

// calls goes through the calls in the method whose heads a pattern finds. The name
// is the pattern's first group.
func (f *finder) calls(pattern lazyregexp.Regexp, do func(name, call testrun.Span, args []testrun.Span)) {
	for _, at := range pattern.FindAllStringSubmatchIndex(f.masked[f.body.Start:f.body.End], -1) {
		name := testrun.Span{Start: f.body.Start + at[2], End: f.body.Start + at[3]}
		open := f.body.Start + at[1] - 1
		call := testrun.Span{Start: f.body.Start + at[0], End: scan.Closing(f.masked, open)}
		do(name, call, f.list(testrun.Span{Start: open, End: call.End}))
	}
}

// assertions notes the assertions of the method.
func (f *finder) assertions() {
	f.calls(assertPattern, func(name, call testrun.Span, args []testrun.Span) {
		word := f.src[name.Start:name.End]
		c := testrun.Check{At: call}
		opposite := opposites()[word]
		if opposite != "" {
			c.Negated = replace(name, f.receiver(name)+opposite)
		}
		switch {
		case opposite == "" && f.defined(word):
			c.Call = true
			slices.Reverse(args)
			c.Altered = f.first(args, testrun.Other)
		case strings.Contains(word, "Not") || len(args) == 0:
		case word == "assertMatchesRegularExpression":
			c.Altered = replace(args[0], "'/(?!)/'")
		case word == "assertTrue":
			c.Altered = f.decided(args[0])
		case strings.HasPrefix(word, "assertGreater"):
			c.Altered = f.first(args[:1], testrun.Up)
		case strings.HasPrefix(word, "assertLess"):
			c.Altered = f.first(args[:1], testrun.Down)
		case word == "assertThat":
			if len(args) > 1 {
				c.Altered = f.constraint(args[1])
				c.Negated = testrun.Around(args[1], `\PHPUnit\Framework\Assert::logicalNot(`, ")")
			}
		case len(args) > 1 && word != "assertInstanceOf":
			c.Altered = f.first(args[:2], testrun.Other)
		}
		f.note(c)
	})
}

// constraint alters what a constraint expects, as identicalTo(5).
func (f *finder) constraint(s testrun.Span) []testrun.Edit {
	masked := f.masked[s.Start:s.End]
	open := strings.IndexByte(masked, '(')
	if open < 0 || scan.Closing(f.masked, s.Start+open) != s.End || strings.Contains(masked[:open], "logical") {
		return nil
	}
	to := testrun.Other
	switch {
	case strings.Contains(masked[:open], "greaterThan"):
		to = testrun.Up
	case strings.Contains(masked[:open], "lessThan"):
		to = testrun.Down
	}
	args := f.list(testrun.Span{Start: s.Start + open, End: s.End})
	return f.first(args[:min(1, len(args))], to)
}

// receiver is what to put before another assertion: one that is imported as a
// function has siblings that are not.
func (f *finder) receiver(name testrun.Span) string {
	if strings.IndexByte(">:", f.masked[name.Start-1]) < 0 {
		return `\PHPUnit\Framework\Assert::`
	}
	return ""
}

// defined reports whether a method is one of the file's own.
func (f *finder) defined(name string) bool {
	return slices.ContainsFunc(f.methods, func(m method) bool { return m.name == name })
}

// decided alters what a comparison expects that is asserted to hold.
func (f *finder) decided(s testrun.Span) []testrun.Edit {
	hit := comparisonPattern.FindStringSubmatchIndex(f.masked[s.Start:s.End])
	if hit == nil || strings.ContainsAny(f.masked[s.Start:s.End], "?&|") {
		return nil
	}
	left, right := testrun.Span{Start: s.Start, End: s.Start + hit[2]}, testrun.Span{Start: s.Start + hit[3], End: s.End}
	toLeft, toRight := testrun.Other, testrun.Other
	switch f.masked[left.End] {
	case '!':
		return nil
	case '<':
		toLeft, toRight = testrun.Up, testrun.Down
	case '>':
		toLeft, toRight = testrun.Down, testrun.Up
	}
	if edits := f.altered(f.trimmed(right), toRight); edits != nil {
		return edits
	}
	return f.altered(f.trimmed(left), toLeft)
}

var comparisonPattern = lazyregexp.New(`\s(===|==|!==|!=|<=|>=|<|>)\s`)

// expectations notes what the method announces: errors, output, calls.
func (f *finder) expectations() {
	f.calls(expectPattern, func(name, call testrun.Span, args []testrun.Span) {
		if len(args) == 0 {
			return
		}
		edits := f.first(args[:1], testrun.Other)
		if f.src[name.Start:name.End] == "expectExceptionMessageMatches" {
			edits = replace(args[0], "'/(?!)/'")
		}
		if class := f.bare[args[0].Start:args[0].End]; strings.HasSuffix(class, "::class") {
			edits = replace(args[0], `\ArithmeticError::class`)
		}
		f.note(testrun.Check{At: call, Altered: edits})
	})
	f.calls(mockPattern, func(name, call testrun.Span, args []testrun.Span) {
		c := testrun.Check{At: call}
		switch times := f.times(args); {
		case f.src[name.Start:name.End] != "expects":
			c.Altered = f.first(args, testrun.Other)
		case times == "once", times == "atLeastOnce":
			c.Altered = replace(args[0], "$this->exactly(41)")
		case times == "exactly":
			c.Altered = f.first(f.list(testrun.Span{Start: args[0].Start + strings.IndexByte(f.bare[args[0].Start:args[0].End], '('), End: args[0].End}), testrun.Other)
		case times == "never":
			c.Negated = replace(args[0], "$this->once()")
		}
		f.note(c)
	})
}

// times says how often a call is expected.
func (f *finder) times(args []testrun.Span) string {
	if len(args) == 0 {
		return ""
	}
	hit := timesPattern.FindStringSubmatch(f.bare[args[0].Start:args[0].End])
	if hit == nil {
		return ""
	}
	return hit[1]
}

// opposites are the assertions that say the contrary of each other.
func opposites() map[string]string {
	out := map[string]string{
		"assertTrue": "assertFalse", "assertGreaterThan": "assertLessThanOrEqual", "assertLessThan": "assertGreaterThanOrEqual",
		"assertStringStartsWith": "assertStringStartsNotWith", "assertStringEndsWith": "assertStringEndsNotWith",
		"assertMatchesRegularExpression": "assertDoesNotMatchRegularExpression", "assertFileExists": "assertFileDoesNotExist",
		"assertDirectoryExists": "assertDirectoryDoesNotExist", "assertArrayHasKey": "assertArrayNotHasKey",
		"assertStringContainsString": "assertStringNotContainsString", "assertObjectHasProperty": "assertObjectNotHasProperty",
		"assertStringContainsStringIgnoringCase": "assertStringNotContainsStringIgnoringCase", "assertNan": "assertFinite",
		"assertJsonStringEqualsJsonString": "assertJsonStringNotEqualsJsonString", "assertIsList": "assertIsNotArray",
	}
	for word := range strings.FieldsSeq("Same Equals EqualsCanonicalizing EqualsIgnoringCase EqualsWithDelta Null Empty Count SameSize Contains ContainsEquals " +
		"ContainsOnly InstanceOf IsArray IsBool IsFloat IsInt IsNumeric IsObject IsResource IsString IsScalar IsCallable IsIterable IsReadable IsWritable") {
		opposite := "assertNot" + word
		if rest, ok := strings.CutPrefix(word, "Is"); ok {
			opposite = "assertIsNot" + rest
		}
		out["assert"+word] = opposite
	}
	for word, opposite := range out {
		if out[opposite] == "" {
			out[opposite] = word
		}
	}
	return out
}
