package golang

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
)

// call notes a call of an assertion library, or of a helper that gets the test.
func (f *checkFinder) call(n *ast.CallExpr) {
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		f.helper(n)
		return
	}
	on, _ := sel.X.(*ast.Ident)
	if on == nil || !slices.Contains([]string{"assert", "require", "is", "qt", "must", "should", "check"}, on.Name) {
		f.helper(n)
		return
	}
	args := n.Args
	if len(args) > 0 && isTestValue(args[0]) {
		args = args[1:]
	}
	c := syntax.Check{Test: f.test, Unit: f.unit, At: f.span(n), Guard: sel.Sel.Name == "NoError" || sel.Sel.Name == "NoErrorf"}
	if opposite := opposites()[strings.TrimSuffix(sel.Sel.Name, "f")]; opposite != "" {
		if strings.HasSuffix(sel.Sel.Name, "f") {
			opposite += "f"
		}
		c.Negated = f.replace(sel.Sel, opposite)
	}
	if values := comparedBy(sel.Sel.Name); values > 0 && !strings.HasPrefix(sel.Sel.Name, "Not") {
		c.Altered = f.argument(args[:min(values, len(args))])
	}
	if c.Altered != nil || c.Negated != nil {
		f.out = append(f.out, c)
	}
}

// comparedBy is how many of the first arguments of an assertion are values that it
// compares.
func comparedBy(assertion string) int {
	switch strings.TrimSuffix(assertion, "f") {
	case "Equal", "EqualValues", "Exactly", "Contains", "Len", "ElementsMatch", "JSONEq", "YAMLEq", "EqualError", "ErrorContains",
		"Greater", "Less", "GreaterOrEqual", "LessOrEqual", "DeepEqual", "Regexp", "Subset", "InDelta", "Equals", "HasPrefix":
		return 2
	}
	return 0
}

// opposites are the assertions of testify and of its kind that say the contrary of
// each other.
func opposites() map[string]string {
	out := map[string]string{}
	for pair := range strings.FieldsSeq(`Equal/NotEqual EqualValues/NotEqualValues Same/NotSame True/False
		Nil/NotNil Empty/NotEmpty Zero/NotZero Contains/NotContains Error/NoError ErrorIs/NotErrorIs
		Panics/NotPanics Regexp/NotRegexp Implements/NotImplements FileExists/NoFileExists DirExists/NoDirExists
		Greater/LessOrEqual Less/GreaterOrEqual Subset/NotSubset Negative/Positive`) {
		one, contrary, _ := strings.Cut(pair, "/")
		out[one], out[contrary] = contrary, one
	}
	return out
}

// isTest reports whether an argument is the test itself.
func isTestValue(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && slices.Contains([]string{"t", "tb", "f", "b"}, name.Name)
}

// helper notes a call that hands the test over, with what it expects as its last
// argument.
func (f *checkFinder) helper(n *ast.CallExpr) {
	if f.failing(n) || len(n.Args) < 2 || !isTestValue(n.Args[0]) {
		return
	}
	if edits := f.altered(n.Args[len(n.Args)-1], syntax.Other); edits != nil {
		f.out = append(f.out, syntax.Check{Test: f.test, Unit: f.unit, Call: true, At: f.span(n), Altered: edits})
	}
}

// example notes the output that an example promises.
func (f *checkFinder) example(fn *ast.FuncDecl, comments []*ast.CommentGroup) {
	for _, group := range slices.Backward(comments) {
		if group.Pos() < fn.Body.Lbrace || group.End() > fn.Body.Rbrace {
			continue
		}
		text := strings.ToLower(strings.TrimSpace(group.Text()))
		if strings.HasPrefix(text, "output:") || strings.HasPrefix(text, "unordered output:") {
			f.out = append(f.out, syntax.Check{
				Test: f.test, Unit: f.unit, At: f.span(group), Altered: []syntax.Edit{f.insert(group.End(), "~tdd")},
			})
		}
		return
	}
}
