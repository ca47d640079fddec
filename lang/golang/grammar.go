package golang

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
)

// typeEnd is the place behind the type that begins at token i; i if none does.
func typeEnd(t *syntax.Tree, i int) int {
	for from := i; i == from || !t.Broken(i); {
		switch {
		case t.Is(i, "*", "...", "chan", "<-", "~"):
			i++
		case t.Is(i, "["):
			i = t.Group(i)
		case t.Is(i, "map", "func"):
			i = t.Group(i + 1)
		case t.Is(i, "struct", "interface"):
			return t.Group(i + 1)
		case t.Is(i, "("):
			return t.Group(i)
		case !t.Named(i):
			return i
		default:
			for i++; t.Is(i, ".") && t.Named(i+1); i += 2 {
			}
			if t.Is(i, "[") && t.Adjacent(i) {
				i = t.Group(i)
			}
			return i
		}
	}
	return i
}

// signature is the name of the function that token i, func, begins, if it has one, what
// it returns, and where its body begins, if it has one.
func signature(t *syntax.Tree, i int) (name int, results syntax.Expr, body int) {
	name = i + 1
	if behind := t.Group(name); t.Is(name, "(") && t.Named(behind) && t.Is(behind+1, "(") && !t.Broken(behind) {
		name = behind // of a method
	}
	open := name
	for t.Named(open) || t.Is(open, "[") {
		open = t.Group(open)
	}
	results.From = t.Group(open)
	if results.To = results.From; !t.Broken(results.From) {
		results.To = typeEnd(t, results.From)
	}
	return name, results, results.To
}

// blockOf is where the block begins of the if, for or switch at token i.
func blockOf(t *syntax.Tree, i int) int {
	const most = 2000
	at := i + 1
	for n := 0; n < most && at < t.Len() && !t.Is(at, "{") && !t.Closes(at); n++ {
		if !t.Is(at, "map", "struct", "func") && (!t.Is(at, "[") || !t.Continues(at-1)) {
			at = t.Group(at)
		} else if at = typeEnd(t, at); t.Is(at, "{") { // a value, or a function
			at = t.Group(at)
		}
	}
	return at
}

// head is what the if at token i does first, what it asks, and where its block begins.
func head(t *syntax.Tree, i int) (first, cond syntax.Expr, body int) {
	cond = syntax.Expr{From: i + 1, To: blockOf(t, i)}
	if at := t.Find(cond, ";"); at > 0 {
		first, cond.From = syntax.Expr{From: i + 1, To: at}, at+1
	}
	return first, cond, cond.To
}

// behind is the place behind the if at token i and all that is else.
func behind(t *syntax.Tree, i int) int {
	end := t.Group(blockOf(t, i))
	for t.Is(end, "else") {
		if end++; t.Is(end, "if") {
			end = blockOf(t, end)
		}
		end = t.Group(end)
	}
	return end
}

// clause is what the case at token i asks, and what is done then.
func clause(t *syntax.Tree, i int) (cond, body syntax.Expr) {
	colon := t.Find(syntax.Expr{From: i + 1, To: t.Len()}, ":")
	if colon < 0 {
		return cond, body
	}
	end := colon + 1
	for end < t.Len() && !t.Closes(end) && !t.Is(end, "case", "default") {
		end = t.Group(end)
	}
	return syntax.Expr{From: i + 1, To: colon}, syntax.Expr{From: colon + 1, To: end}
}

// assigns reports whether a sign gives a value to what stands before it.
func assigns(sign string) bool {
	return strings.HasSuffix(sign, "=") && !slices.Contains([]string{"==", "!=", "<=", ">="}, sign)
}

// compares reports whether an expression compares or negates.
func compares(t *syntax.Tree, e syntax.Expr) bool {
	return t.Is(e.From, "!") || t.Find(e, "==", "!=", "<", ">", "<=", ">=", "&&", "||") > 0
}

// imported reports whether a name is that of a package that a file imports, as far as its
// path tells.
func imported(t *syntax.Tree, name string) bool {
	for i := 0; i < t.Len() && !t.Is(i, "const", "func", "type", "var"); i++ {
		path := strings.Trim(t.Word(i), "`\"")
		switch {
		case t.Kind(i) != syntax.Text:
		case t.Named(i-1) && !t.Is(i-1, "import"):
			if t.Word(i-1) == name {
				return true
			}
		case path[strings.LastIndexByte(path, '/')+1:] == name:
			return true
		}
	}
	return false
}

// failing reports whether what is called at token i fails a test.
func failing(t *syntax.Tree, i int) bool {
	if !t.Is(i, "Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow") || !t.Is(i-1, ".") || !t.Is(i+1, "(") {
		return false
	}
	own := t.Named(i-2) && !t.Is(i-3, ".") && imported(t, t.Word(i-2))
	return !own && (!t.Is(i, "Error") || !t.Inside(i+1).Empty())
}

// isTestValue reports whether an argument is the test itself.
func isTestValue(t *syntax.Tree, e syntax.Expr) bool {
	return slices.Contains([]string{"t", "tb", "f", "b"}, t.Source(e))
}
