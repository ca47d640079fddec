package rust

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
)

// asserts reports whether a macro, or a function, checks something by its name.
func asserts(name string) bool {
	for word := range strings.SplitSeq(strings.ToLower(name), "_") {
		if slices.Contains([]string{"assert", "check", "expect", "verify", "ensure"}, word) {
			return true
		}
	}
	return false
}

// macro notes what a call of a macro checks, and returns where to go on.
func (f *checkFinder) macro(i int) int {
	name, end := f.text(i), f.group(i+2)
	args := f.split(expr{i + 3, end - 1}, ",")
	at := expr{i, end}
	if len(args) == 0 {
		return end
	}
	switch kind := f.family(name); kind {
	case plainAssertion:
		if !f.is(args[0].from, "false") || args[0].to != args[0].from+1 {
			f.note(at, f.decided(args[0], true), f.conditionNegated(args[0]))
		}
	case equality:
		f.note(at, f.operand(args), f.renamed(i, opposite(name)))
	case twoSided:
		f.note(at, nil, f.renamed(i, opposite(name)))
	case patternAssertion:
		f.pattern(at, args)
	case snapshot:
		f.snapshot(at, name, args)
	case expected:
		f.note(at, f.literalIn(expr{i + 3, end - 1}), nil)
	case matcher:
		return f.matcher(i, args)
	case helperMacro:
		f.helper(at, args)
		return end
	case noAssertion:
		return i + 1
	}
	return end
}

// family is the kind of a macro.
type family int

const (
	noAssertion      family = iota
	plainAssertion          // of a condition
	equality                // of two values
	twoSided                // that has an opposite
	patternAssertion        // of a value and a pattern
	snapshot                // of a value, and a text elsewhere
	expected                // an expected text by itself
	matcher                 // of a value and what a matcher makes of it
	helperMacro             // of nobody knows which
)

func (f *checkFinder) family(name string) family {
	base := strings.TrimPrefix(strings.TrimPrefix(name, "debug_"), "prop_")
	switch {
	case f.helpers[name]:
		return helperMacro
	case slices.Contains([]string{"assert", "ensure", "check", "expect_true", "verify_true", "assert_true"}, base):
		return plainAssertion
	case slices.Contains([]string{"assert_eq", "expect_eq", "verify_eq", "assert_relative_eq", "assert_abs_diff_eq", "assert_ulps_eq"}, base):
		return equality
	case strings.HasSuffix(base, "snapshot"):
		return snapshot
	case base == "assert_matches" || base == "assert_let":
		return patternAssertion
	case base == "expect":
		return expected
	case slices.Contains([]string{"assert_that", "expect_that", "verify_that"}, base):
		return matcher
	case asserts(name) && opposite(base) != "":
		return twoSided
	case asserts(name):
		return helperMacro
	}
	return noAssertion
}

// opposite is the macro, or the method, that says the contrary; empty where there
// is none.
func opposite(name string) string {
	for _, pair := range [][2]string{
		{"_eq", "_ne"},
		{"_lt", "_ge"},
		{"_gt", "_le"},
		{"_ok", "_err"},
		{"_some", "_none"},
		{"_pending", "_ready"},
		{"_true", "_false"},
		{"is_equal_to", "is_not_equal_to"},
		{"contains", "does_not_contain"},
		{"success", "failure"},
	} {
		for k := range pair {
			if stem, ok := strings.CutSuffix(name, pair[k]); ok && (stem != "" || len(pair[k]) > 6) {
				return stem + pair[1-k]
			}
		}
	}
	return ""
}

// renamed puts another name in the place of a token.
func (f *checkFinder) renamed(i int, to string) []testrun.Edit {
	if to == "" {
		return nil
	}
	return []testrun.Edit{f.replace(expr{i, i + 1}, to)}
}

// conditionNegated turns the sense of a condition round, unless it binds names.
func (f *checkFinder) conditionNegated(e expr) []testrun.Edit {
	if f.has(e, "let") {
		return nil
	}
	return f.negated(e)
}

// has reports whether a word stands in an expression, outside of groups.
func (f *checkFinder) has(e expr, word string) bool {
	for i := e.from; i < e.to; i = f.next(i) {
		if f.is(i, word) {
			return true
		}
	}
	return false
}

// next is the token after token i, or after the group that it opens.
func (f *checkFinder) next(i int) int {
	if f.opens(i) {
		return max(i+1, f.group(i))
	}
	return i + 1
}

// pattern notes the assertion that a value matches a pattern.
func (f *checkFinder) pattern(at expr, args []expr) {
	if len(args) < 2 {
		return
	}
	var negated []testrun.Edit
	if len(args) == 2 {
		negated = []testrun.Edit{f.replace(expr{at.from, at.from + 1}, "assert!(!matches"), f.insert(at.to, ")")}
	}
	f.note(at, f.literalIn(args[1]), negated)
}

// snapshot notes the comparison with a snapshot. One that is kept in a file is left
// alone: the value is made another one.
func (f *checkFinder) snapshot(at expr, name string, args []expr) {
	value := -1
	for k, a := range args {
		switch {
		case f.is(a.from, "@"):
			f.note(at, f.literalIn(expr{a.from + 1, a.to}), nil)
			return
		case !f.opens(a.from) && !f.has(a, "=>"):
			value = k
		}
	}
	if value < 0 {
		return
	}
	before, after := `("~tdd", &`, ")"
	if name == "assert_snapshot" || name == "assert_display_snapshot" {
		before, after = `format!("{}~tdd", `, ")"
	}
	e := f.span(args[value])
	f.note(at, nil, []testrun.Edit{
		{Span: testrun.Span{Start: e.Start, End: e.Start}, Text: before}, {Span: testrun.Span{Start: e.End, End: e.End}, Text: after},
	})
}

// matcher notes what a matcher expects: assert_that!(got, eq(3)), and what is
// chained to assert_that(got).
func (f *checkFinder) matcher(i int, args []expr) int {
	open := i + 1
	if f.is(open, "!") {
		open++
	}
	end := f.group(open)
	if len(args) < 2 {
		return f.chain(i, end)
	}
	e := f.span(args[1])
	f.note(expr{i, end}, f.literalIn(args[1]), []testrun.Edit{
		{Span: testrun.Span{Start: e.Start, End: e.Start}, Text: "googletest::matchers::not("}, {Span: testrun.Span{Start: e.End, End: e.End}, Text: ")"},
	})
	return end
}

// chain notes what the methods say that are chained to a value, of which the one
// before at begins an assertion. It returns where the chain ends.
func (f *checkFinder) chain(from, at int) int {
	for f.is(at, ".") && f.is(at+2, "(") {
		end := f.group(at + 2)
		f.note(expr{from, end}, f.argument(f.split(expr{at + 3, end - 1}, ",")), f.renamed(at+1, opposite(f.text(at+1))))
		at = end
	}
	return at
}

// call notes what a call of a function or a method checks, and returns where to go
// on.
func (f *checkFinder) call(i int) int {
	name, end := f.text(i), f.group(i+1)
	args := f.split(expr{i + 2, end - 1}, ",")
	method := f.is(i-1, ".")
	switch {
	case name == "assert_that" && !method:
		return f.matcher(i, args)
	case name == "assert" && method && len(args) == 0:
		return f.chain(i, end)
	case method && (name == "unwrap" || name == "expect"):
		f.must(i, end).Guard = true
	case method && (name == "unwrap_err" || name == "expect_err"):
		f.must(i, end)
	case f.helpers[name] || asserts(name) && len(args) > 1:
		f.helper(expr{i, end}, args)
	}
	return i + 1
}

// helper notes a call of which nobody knows which argument is what is expected: the
// last one that is written out, as a rule.
func (f *checkFinder) helper(at expr, args []expr) {
	if edits := f.argument(args); edits != nil {
		f.note(at, edits, nil).Call = true
	}
}

// must notes a statement that has to come to its end, and checks nothing else.
func (f *checkFinder) must(i, end int) *testrun.Check {
	if f.is(end, "?") {
		end++
	}
	if !f.is(end, ";") {
		return &testrun.Check{}
	}
	return f.note(expr{i, end}, nil, []testrun.Edit{f.insert(end+1, unreached)})
}

// unreached fails the test that gets there. The compiler does not know it.
const unreached = ` if "".is_empty() { panic!("tdd") }`
