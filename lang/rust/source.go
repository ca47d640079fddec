package rust

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

var modulePattern = lazyregexp.New(`(?m)^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+\w+[ \t]*;`)

// joins lists the declarations of modules that stand in files of their own.
func joins(content string) []string { return modulePattern().FindAllString(content, -1) }

// written is what an attribute says, without blanks.
func written(t *syntax.Tree, e syntax.Expr) string { return strings.ReplaceAll(t.Folded(e), " ", "") }

// testAttributePattern matches an attribute that makes a function a test: #[test],
// #[tokio::test], #[test_case(…)]; testOnlyPattern also one that keeps an item out of
// every build that is not for tests.
var (
	testAttributePattern = lazyregexp.New(`^(?:[^(]*:)?` + testAttribute)
	testOnlyPattern      = lazyregexp.New(`^(?:cfg\(test\)$|cfg\(all\(test,|(?s:cfg\(all\(.*,test\)\)$)|(?:[^(]*:)?` + testAttribute + `)`)
)

const testAttribute = `(?:test|rstest|test_case|wasm_bindgen_test|quickcheck|bench|parameterized)(?:\(|$)`

// cuts finds the parts of a source that are tests, in order: the items,
// at any depth, that are compiled for tests only, each with its attributes,
// the comment directly above, and the blank lines before it.
func cuts(content string) []syntax.Span {
	t := page().Parse(content)
	if t.Is(0, "#") && t.Is(1, "!") && t.Is(2, "[") && written(t, t.Inside(2)) == "cfg(test)" {
		return []syntax.Span{{Start: 0, End: len(content)}}
	}
	var out []syntax.Span
	for i := 0; i < t.Len(); {
		end, isTest := i, false
		for inside, after, ok := attribute(t, end); ok; inside, after, ok = attribute(t, end) {
			isTest = isTest || testOnlyPattern.MatchString(written(t, inside))
			end = after
		}
		if !isTest {
			i = max(i+1, end)
			continue
		}
		stop, floor := item(t, end), 0
		if len(out) > 0 {
			floor = out[len(out)-1].End
		}
		out = append(out, widen(t, syntax.Expr{From: i, To: stop}, floor))
		i = stop
	}
	return out
}

// item is the place behind the item, statement, field or arm at token i.
func item(t *syntax.Tree, i int) int {
	if t.Is(i, "pub") {
		if i++; t.Is(i, "(") {
			i = t.Group(i)
		}
	}
	statement := t.Is(i, "use", "static", "type", "let") || t.Is(i, "const") && !t.Is(i+1, "fn", "unsafe", "async", "extern") // ends with a semicolon
	body := t.Is(i, "fn", "mod", "struct", "enum", "union", "trait", "impl", "extern", "unsafe", "async", "macro_rules", "const")
	for ; i < t.Len(); i = t.Group(i) {
		switch {
		case t.Closes(i):
			return i // the group around it ends here
		case t.Is(i, ";"), t.Is(i, ",") && !statement && !body:
			return i + 1
		case t.Is(i, "{") && !statement:
			end := t.Group(i)
			if !body && t.Is(end, ",") {
				end++ // of an arm
			}
			return end
		}
	}
	return i
}

// leadPattern matches the lines that belong to what follows them: blank ones, and comments
// directly above it that do not speak of the file.
var leadPattern = lazyregexp.New(`(?:^|\n)((?:[ \t\r]*\n)*(?:[ \t]*(?://(?:[^!\n].*)?|/\*[^!](?:[^*]|\*+[^*/])*\*+/)[ \t\r]*\n)*[ \t]*)$`)

// widen gives a test the lines above that belong to it and the end of its last line, so
// that the rest is what it was without it. Before floor lies another test.
func widen(t *syntax.Tree, e syntax.Expr, floor int) syntax.Span {
	s := t.Span(e)
	rest := t.Text[s.End:]
	if n := len(rest) - len(strings.TrimLeft(rest, " \t\r")); strings.HasPrefix(rest[n:], "\n") {
		s.End += n + 1
	}
	if above := leadPattern().FindStringSubmatchIndex(t.Text[floor:s.Start]); above != nil {
		s.Start = floor + above[2]
	}
	if s.Start == 0 {
		s.End = len(t.Text) - len(strings.TrimLeft(t.Text[s.End:], "\r\n"))
	}
	return s
}

// attribute reports whether an attribute, #[…], begins at token i, and returns what is
// inside and the place behind it.
func attribute(t *syntax.Tree, i int) (inside syntax.Expr, end int, ok bool) {
	if !t.Is(i, "#") || !t.Is(i+1, "[") {
		return syntax.Expr{}, i, false
	}
	return t.Inside(i + 1), t.Group(i + 1), true
}

// functions lists the functions of a file, and the macros that are declared by rules.
func functions(t *syntax.Tree, _ gates.Kind) []syntax.Function {
	var out []syntax.Function
	for i := 0; i < t.Len(); i++ {
		fn, ok := functionAt(t, i)
		if !ok {
			continue
		}
		if slices.ContainsFunc(attributes(t, fn.Head), func(a syntax.Expr) bool { return testAttributePattern.MatchString(written(t, a)) }) {
			fn.Test = fn.Name
		}
		out = append(out, fn)
		i = fn.Body.To - 1
	}
	return out
}

// head is where the attributes and the words before a function begin.
func head(t *syntax.Tree, i int) int {
	for {
		switch open := t.Opening(i - 1); {
		case t.Is(open, "[") && t.Is(open-1, "#"):
			i = open - 1
		case t.Kind(i-1) == syntax.Text || t.Is(i-1, "(", ")", "pub", "async", "unsafe", "const", "extern", "crate", "super"):
			i--
		default:
			return i
		}
	}
}

// attributes lists what stands in the attributes before a function.
func attributes(t *syntax.Tree, head syntax.Expr) []syntax.Expr {
	var out []syntax.Expr
	for i := head.From; i < head.To; i++ {
		if inside, end, ok := attribute(t, i); ok {
			out = append(out, inside)
			i = end - 1
		}
	}
	return out
}

// functionAt reads the function, or the rules of a macro, that begin at token i.
func functionAt(t *syntax.Tree, i int) (fn syntax.Function, ok bool) {
	if t.Is(i, "macro_rules") && t.Is(i+1, "!") && t.Opens(i+3) {
		return syntax.Function{Name: t.Word(i + 2), Head: syntax.Expr{From: i, To: i}, Body: syntax.Expr{From: i + 3, To: t.Group(i + 3)}}, true
	}
	if !t.Is(i, "fn") || !t.Named(i+1) {
		return fn, false
	}
	open := t.Find(syntax.Expr{From: i + 2, To: t.Len()}, "(", ";")
	body := t.Find(syntax.Expr{From: t.Group(open), To: t.Len()}, "{", ";")
	if !t.Is(open, "(") || !t.Is(body, "{") {
		return fn, false
	}
	return syntax.Function{Name: t.Word(i + 1), Head: syntax.Expr{From: head(t, i), To: i}, Params: t.Inside(open), Body: syntax.Expr{From: body, To: t.Group(body)}}, true
}
