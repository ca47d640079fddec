package golang

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// assertions lists what the tests expect: failing calls with the conditions
// they stand under, calls of assertion libraries, literal values and the rows
// of tables. A text that does not parse is searched line by line.
func assertions(test string) []string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", test, parser.SkipObjectResolution)
	if err != nil {
		return assertionLines(test)
	}
	w := &expectations{fset: fset}
	for _, decl := range file.Decls {
		w.walk(decl, nil)
	}
	return w.out
}

var assertionPattern = lazyregexp.New(`\b(t|b|f|tb)\.(Error|Fatal|Fail)|\b(assert|require|cmp|is)\.[A-Z]|^\s*(if|case)\b|\bwant\b`)

// assertionLines finds lines that look like assertions.
func assertionLines(test string) []string {
	var out []string
	for line := range strings.Lines(test) {
		if assertionPattern.MatchString(line) {
			out = append(out, strings.Join(strings.Fields(line), " "))
		}
	}
	return out
}

// expectations collects expectations from a syntax tree.
type expectations struct {
	fset *token.FileSet
	out  []string
}

// walk collects the expectations of a node that stands under some conditions.
func (w *expectations) walk(root ast.Node, under []string) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			w.branch(n, under)
			return false
		case *ast.CaseClause:
			w.clause(n, under)
			return false
		case *ast.CallExpr:
			return w.call(n, under)
		case *ast.CompositeLit:
			w.literal(n)
			return false
		case *ast.AssignStmt:
			return w.values(n, n.Rhs)
		case *ast.ValueSpec:
			return w.values(n, n.Values)
		}
		return true
	})
}

// branch collects from both arms of an if.
func (w *expectations) branch(n *ast.IfStmt, under []string) {
	condition := w.print(n.Cond)
	if n.Init != nil {
		w.walk(n.Init, under)
		condition = w.print(n.Init) + "; " + condition
	}
	w.walk(n.Body, append(slices.Clone(under), "if "+condition))
	if n.Else != nil {
		w.walk(n.Else, append(slices.Clone(under), "if not "+condition))
	}
}

// clause collects from a case of a switch.
func (w *expectations) clause(n *ast.CaseClause, under []string) {
	conditions := make([]string, 0, len(n.List))
	for _, e := range n.List {
		conditions = append(conditions, w.print(e))
	}
	for _, s := range n.Body {
		w.walk(s, append(slices.Clone(under), "case "+strings.Join(conditions, ", ")))
	}
}

// call notes a call that fails a test, with its conditions, or one of an
// assertion library, whole. It reports whether there is more to see inside.
func (w *expectations) call(n *ast.CallExpr, under []string) bool {
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return true
	}
	on, _ := sel.X.(*ast.Ident)
	switch name := sel.Sel.Name; {
	case on != nil && slices.Contains([]string{"assert", "require", "cmp", "is", "qt", "must", "should", "check"}, on.Name):
		w.note(under, w.print(n))
		return false
	case slices.Contains([]string{"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"}, name) && on != nil && on.Name != "fmt" && on.Name != "log":
		if name == "Error" && len(n.Args) == 0 {
			return true // the text of an error
		}
		w.note(under, on.Name+"."+name)
		return false
	}
	return true
}

// note adds an expectation with its conditions.
func (w *expectations) note(under []string, what string) {
	w.out = append(w.out, strings.Join(append(slices.Clone(under), what), ": "))
}

// literal notes a composite literal: a table row by row, anything else whole.
func (w *expectations) literal(n *ast.CompositeLit) {
	switch n.Type.(type) {
	case *ast.ArrayType, *ast.MapType:
		for _, row := range n.Elts {
			w.out = append(w.out, w.print(row))
			w.inside(row)
		}
		return
	}
	w.out = append(w.out, w.print(n))
}

// inside collects from the functions that a row holds.
func (w *expectations) inside(row ast.Node) {
	ast.Inspect(row, func(n ast.Node) bool {
		if fn, ok := n.(*ast.FuncLit); ok {
			w.walk(fn.Body, nil)
			return false
		}
		return true
	})
}

// values notes names that are given literal values. It reports whether there
// is more to see inside.
func (w *expectations) values(n ast.Node, values []ast.Expr) bool {
	for _, v := range values {
		if u, ok := v.(*ast.UnaryExpr); ok {
			v = u.X
		}
		if _, ok := v.(*ast.BasicLit); !ok {
			return true
		}
	}
	if len(values) > 0 {
		w.out = append(w.out, w.print(n))
	}
	return false
}

// print writes a node on one line, white space folded.
func (w *expectations) print(n any) string {
	var out bytes.Buffer
	if err := printer.Fprint(&out, w.fset, n); err != nil {
		return ""
	}
	return strings.Join(strings.Fields(out.String()), " ")
}
