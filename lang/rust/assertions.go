package rust

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// assertions lists what the tests expect: assertion macros whole, statements
// that unwrap, literal values and tables, attributes that expect.
func assertions(test string) []string {
	t := page().Parse(test)
	var out []string
	listed := 0 // what stands before this token is in the list already
	for i := 0; i < t.Len(); {
		text, end := expectation(t, i, listed)
		if text != "" {
			out = append(out, text)
			listed = end
		}
		i = max(end, i+1)
	}
	return out
}

var expectingPattern = lazyregexp.New(`^(?:assert|debug_assert|prop_assert|panic|unreachable|expect)(?:_\w*)?$`)

// expectation reads the one that begins at token i; "" if none does. What stands before
// the token listed is part of an earlier one.
func expectation(t *syntax.Tree, i, listed int) (text string, end int) {
	if inside, end, ok := attribute(t, i); ok {
		text := fold(t, inside)
		name, _, _ := strings.Cut(text, "(")
		name = name[strings.LastIndex(name, ":")+1:]
		if slices.Contains([]string{"should_panic", "case", "test_case", "values"}, name) {
			return "#[" + text + "]", end
		}
		return "", end
	}
	name := t.Word(i)
	switch {
	case !t.Named(i):
		return "", i + 1
	case t.Is(i+1, "!") && t.Opens(i+2) && expectingPattern.MatchString(name):
		end = t.Group(i + 2)
		return fold(t, syntax.Expr{From: i, To: end}), end
	case (strings.HasPrefix(name, "unwrap") || strings.HasPrefix(name, "expect")) && t.Is(i-1, ".") && t.Is(i+1, "("):
		from := i
		for from > listed && !t.Is(from-1, ";", "{", "}") {
			from--
		}
		return fold(t, syntax.Expr{From: from, To: t.Group(i + 1)}), t.Group(i + 1)
	}
	return literals(t, i)
}

// literals reads a binding to a literal value, let want = 3;, and a table that
// is looped over or bound, with its rows, if one of them holds a literal.
func literals(t *syntax.Tree, i int) (text string, end int) {
	value := bound(t, i)
	for t.Is(value, "&", "-", "vec", "!") {
		value++
	}
	stop := 0
	switch {
	case t.Is(value, "["):
		stop = t.Group(value)
	case writtenOut(t, value) && t.Is(value+1, ";"):
		stop = value + 1
	}
	const far = 200
	for k := value; k < min(stop, value+far); k++ {
		if writtenOut(t, k) {
			return fold(t, syntax.Expr{From: i, To: stop}), stop
		}
	}
	return "", i + 1
}

// writtenOut reports whether token i is a value that is written out.
func writtenOut(t *syntax.Tree, i int) bool { return t.Literal(i) || t.Is(i, "true", "false") }

// bound is where the value of the let, const or in at token i begins; the end of the text
// if there is none.
func bound(t *syntax.Tree, i int) int {
	switch {
	case t.Is(i, "in"):
		return i + 1
	case !t.Is(i, "let", "const"):
		return t.Len()
	}
	for i++; i < t.Len() && !t.Is(i, "=", ";", "let", "const") && !t.Closes(i); i = t.Group(i) {
	}
	if !t.Is(i, "=") {
		return t.Len()
	}
	return i + 1
}
