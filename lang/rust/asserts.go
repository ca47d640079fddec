package rust

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// assertsPattern matches the name of a macro, or a function, that checks something.
var assertsPattern = lazyregexp.New(`(?i)(?:^|_)(?:assert|check|expect|verify|ensure)(?:_|$)`)

// macro notes what a call of a macro checks, and returns the place behind it.
func macro(f *syntax.Finder, i int) int {
	name, args := f.Word(i), f.Args(i+2)
	base := strings.TrimPrefix(strings.TrimPrefix(name, "debug_"), "prop_")
	at := syntax.Expr{From: i, To: f.Group(i + 2)}
	one := func(names string) bool { return slices.Contains(strings.Fields(names), base) }
	switch {
	case len(args) == 0:
	case f.Helpers[name]:
		f.Helper(at, args, nil)
	case one("assert ensure check expect_true verify_true assert_true"):
		condition := args[0]
		negated := f.Wrap(condition, "!(", ")")
		if f.Find(condition, "let") >= 0 {
			negated = nil // it binds names
		}
		if f.Source(condition) != "false" {
			f.Note(at, f.Decided(condition, true), negated)
		}
	case one("assert_eq expect_eq verify_eq assert_relative_eq assert_abs_diff_eq assert_ulps_eq"):
		f.Note(at, f.Wanted(syntax.Value, args[:min(2, len(args))]), renamed(f, i))
	case strings.HasSuffix(base, "snapshot"):
		snapshot(f, at, name, args)
	case one("assert_matches assert_let") && len(args) > 1:
		pattern(f, at, args)
	case base == "expect":
		f.Note(at, f.Literals(f.Inside(i+2)), nil)
	case one("assert_that expect_that verify_that"):
		return matcher(f, i, args)
	case assertsPattern.MatchString(name) && opposite(base) != "":
		f.Note(at, nil, renamed(f, i))
	case assertsPattern.MatchString(name):
		f.Helper(at, args, nil)
	default:
		return i + 1
	}
	return at.To
}

// opposite is the macro, or the method, that says the contrary; empty if there is none.
func opposite(name string) string {
	words := strings.Fields(`_eq _ne _lt _ge _gt _le _ok _err _some _none _pending _ready _true _false
		is_equal_to is_not_equal_to contains does_not_contain success failure`)
	for k, word := range words {
		if stem, ok := strings.CutSuffix(name, word); ok && (stem != "" || len(word) > 6) {
			return stem + words[k^1]
		}
	}
	return ""
}

// renamed turns an assertion at token i into the one that says the contrary.
func renamed(f *syntax.Finder, i int) []syntax.Edit {
	to := opposite(f.Word(i))
	if to == "" {
		return nil
	}
	return f.Replace(syntax.Expr{From: i, To: i + 1}, to)
}

// pattern notes the assertion that a value matches a pattern.
func pattern(f *syntax.Finder, at syntax.Expr, args []syntax.Expr) {
	var negated []syntax.Edit
	if len(args) == 2 {
		negated = append(f.Replace(syntax.Expr{From: at.From, To: at.From + 1}, "assert!(!matches"), f.Insert(at.To-1, ")")...)
	}
	f.Note(at, f.Literals(args[1]), negated)
}

// snapshot notes the comparison with a snapshot. One that is kept in a file is left
// alone: the value is made another one.
func snapshot(f *syntax.Finder, at syntax.Expr, name string, args []syntax.Expr) {
	value := -1
	for k, a := range args {
		switch {
		case f.Is(a.From, "@"):
			f.Note(at, f.Literals(syntax.Expr{From: a.From + 1, To: a.To}), nil)
			return
		case !f.Opens(a.From) && f.Find(a, "=>") < 0:
			value = k
		}
	}
	before := `("~tdd", &`
	if name == "assert_snapshot" || name == "assert_display_snapshot" {
		before = `format!("{}~tdd", `
	}
	if value >= 0 {
		f.Note(at, nil, f.Wrap(args[value], before, ")"))
	}
}

// matcher notes what a matcher expects, or what is chained to assert_that(got).
func matcher(f *syntax.Finder, i int, args []syntax.Expr) int {
	open := i + 1
	if f.Is(open, "!") {
		open++
	}
	end := f.Group(open)
	if len(args) < 2 {
		return chain(f, i, end)
	}
	f.Note(syntax.Expr{From: i, To: end}, f.Literals(args[1]), f.Wrap(args[1], "googletest::matchers::not(", ")"))
	return end
}

// chain notes what the methods say that are chained to a value, of which the one
// before at begins an assertion. It returns where the chain ends.
func chain(f *syntax.Finder, from, at int) int {
	for f.Is(at, ".") && f.Is(at+2, "(") {
		end := f.Group(at + 2)
		f.Note(syntax.Expr{From: from, To: end}, f.Last(f.Args(at+2)), renamed(f, at+1))
		at = end
	}
	return at
}

// call notes what a call of a function or a method checks, and returns where to go on.
func call(f *syntax.Finder, i int) int {
	name, end := f.Word(i), f.Group(i+1)
	args := f.Args(i + 1)
	method := f.Is(i-1, ".")
	switch {
	case name == "assert_that" && !method:
		return matcher(f, i, args)
	case name == "assert" && method && len(args) == 0:
		return chain(f, i, end)
	case method && slices.Contains([]string{"unwrap", "expect", "unwrap_err", "expect_err"}, name):
		must(f, i, end).Guard = !strings.HasSuffix(name, "_err")
	case f.Helpers[name] || assertsPattern.MatchString(name) && len(args) > 1:
		f.Helper(syntax.Expr{From: i, To: end}, args, nil)
	}
	return i + 1
}

// must notes a statement that has to come to its end, and checks nothing else.
func must(f *syntax.Finder, i, end int) *syntax.Check {
	if f.Is(end, "?") {
		end++
	}
	if !f.Is(end, ";") {
		return &syntax.Check{}
	}
	return f.Note(syntax.Expr{From: i, To: end}, nil, f.Insert(end, unreached))
}

// expectationPattern matches what begins an expectation: a value that is written out, what
// unwraps, a table, an assertion, an attribute.
var expectationPattern = lazyregexp.New(`\b((?:let|const)\s(?:[^=;{}\[\]]|\[[^\]]*\]){0,120}=\s*[&!-]*(?:\w*#*"_*"?#*|\w*'_*'|\d[\w.]*|true|false)\s*;)` +
	`|(\.(?:unwrap|expect)\w*\s*\()` +
	`|\b((?:(?:let|const)\s(?:[^=;{}\[\]]|\[[^\]]*\]){0,120}=|in\b)\s*[&-]*(?:vec\s*!)?\s*\[)` +
	`|\b(?:assert|debug_assert|prop_assert|panic|unreachable|expect)(?:_\w*)?\s*!\s*[(\[{]` +
	`|#\s*\[\s*(?:\w+::)*(?:should_panic|case|test_case|values)\b`)
