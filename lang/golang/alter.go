package golang

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
)

func (f *checkFinder) offset(p token.Pos) int { return int(p) - f.base }

func (f *checkFinder) span(n ast.Node) syntax.Span {
	return syntax.Span{Start: f.offset(n.Pos()), End: f.offset(n.End())}
}

func (f *checkFinder) text(n ast.Node) string { return f.src[f.offset(n.Pos()):f.offset(n.End())] }

func (f *checkFinder) insert(at token.Pos, text string) syntax.Edit {
	return syntax.Edit{Span: syntax.Span{Start: f.offset(at), End: f.offset(at)}, Text: text}
}

func (f *checkFinder) replace(n ast.Node, text string) []syntax.Edit {
	return []syntax.Edit{{Span: f.span(n), Text: text}}
}

// sense says whether a condition fails a test when it is met, or when it is not.
type sense bool

const (
	met    sense = true
	notMet sense = false
)

// decided alters what a condition expects, so that it is met, or is not. Nothing
// comes of a condition that no other value would decide.
func (f *checkFinder) decided(cond ast.Expr, to sense) []syntax.Edit {
	switch e := cond.(type) {
	case *ast.ParenExpr:
		return f.decided(e.X, to)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return f.decided(e.X, !to)
		}
	case *ast.CallExpr:
		if to == notMet {
			return f.argument(backwards(e.Args))
		}
	case *ast.BinaryExpr:
		return f.compared(e, to)
	}
	return nil
}

// compared is decided for a comparison, or for several.
func (f *checkFinder) compared(e *ast.BinaryExpr, to sense) []syntax.Edit {
	switch e.Op { //nolint:exhaustive // other operators compare nothing
	case token.LAND, token.LOR:
		return append(f.decided(e.X, to), f.decided(e.Y, to)...)
	case token.NEQ, token.EQL:
		if to == sense(e.Op == token.NEQ) {
			return f.operand(e, syntax.Other, syntax.Other)
		}
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		if to == sense(e.Op == token.LSS || e.Op == token.LEQ) {
			return f.operand(e, syntax.Down, syntax.Up) // x < 3 holds if 3 goes up, 3 < x if 3 goes down
		}
		return f.operand(e, syntax.Up, syntax.Down)
	}
	return nil
}

// operand alters the operand of a comparison that is written out: the right one
// where both are.
func (f *checkFinder) operand(e *ast.BinaryExpr, left, right syntax.Way) []syntax.Edit {
	if edits := f.altered(e.Y, right); edits != nil {
		return edits
	}
	return f.altered(e.X, left)
}

// backwards is a list from its end: what is expected often comes last.
func backwards(args []ast.Expr) []ast.Expr {
	args = slices.Clone(args)
	slices.Reverse(args)
	return args
}

// argument alters the first argument that is written out.
func (f *checkFinder) argument(args []ast.Expr) []syntax.Edit {
	for _, a := range args {
		if edits := f.altered(a, syntax.Other); edits != nil {
			return edits
		}
	}
	return nil
}

// altered is another value than one that is written out: in place, in the only
// place where a variable gets it, or in the rows of a table.
func (f *checkFinder) altered(e ast.Expr, to syntax.Way) []syntax.Edit {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return f.altered(e.X, to)
	case *ast.BasicLit:
		return f.replace(e, another(e, to))
	case *ast.UnaryExpr:
		if _, number := e.X.(*ast.BasicLit); number && e.Op == token.SUB {
			return f.replace(e, "("+f.text(e)+numeric(to)+")")
		}
		if e.Op == token.AND {
			return f.altered(e.X, to)
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD || e.Op == token.MUL || e.Op == token.SUB {
			return f.altered(e.X, to)
		}
	case *ast.CompositeLit:
		return f.element(e)
	case *ast.CallExpr:
		if converts(e) {
			return f.altered(e.Args[0], to)
		}
	case *ast.Ident:
		return f.variable(e, to)
	case *ast.SelectorExpr:
		return f.cell(e, to)
	}
	return nil
}

// another is the text of another literal.
func another(lit *ast.BasicLit, to syntax.Way) string {
	switch lit.Kind { //nolint:exhaustive // all others are numbers
	case token.STRING:
		return "(" + lit.Value + ` + "~tdd")`
	case token.CHAR:
		return "(" + lit.Value + " + 1)"
	case token.FLOAT:
		if to == syntax.Other {
			return "(" + lit.Value + "*3 + 41.5)"
		}
	}
	return "(" + lit.Value + numeric(to) + ")"
}

// numeric is what to add to a number.
func numeric(to syntax.Way) string {
	switch to {
	case syntax.Up:
		return " + 1<<30"
	case syntax.Down:
		return " - 1<<30"
	case syntax.Other:
	}
	return " + 41"
}

// converts reports whether a call only gives a value another type.
func converts(e *ast.CallExpr) bool {
	if len(e.Args) != 1 {
		return false
	}
	switch fn := e.Fun.(type) {
	case *ast.ArrayType:
		return true
	case *ast.Ident:
		return slices.Contains(strings.Fields("string int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 byte rune float32 float64 uintptr"), fn.Name)
	}
	return false
}

// element alters the first value that is written out in a composite literal.
func (f *checkFinder) element(lit *ast.CompositeLit) []syntax.Edit {
	for _, e := range lit.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			e = pair.Value
		}
		if name, ok := e.(*ast.Ident); ok && name.Name != "true" && name.Name != "false" {
			continue
		}
		if edits := f.altered(e, syntax.Other); edits != nil {
			return edits
		}
	}
	return nil
}

// variable alters what a variable was given, if that happened once.
func (f *checkFinder) variable(name *ast.Ident, to syntax.Way) []syntax.Edit {
	switch name.Name {
	case "true":
		return f.replace(name, "false")
	case "false":
		return f.replace(name, "true")
	}
	given := f.values[name.Name]
	if len(given) != 1 || given[0] == nil {
		return nil
	}
	if again, ok := given[0].(*ast.Ident); ok && again.Name == name.Name {
		return nil
	}
	return f.altered(given[0], to)
}

// cell alters a column of the table whose row a selector selects from.
func (f *checkFinder) cell(sel *ast.SelectorExpr, to syntax.Way) []syntax.Edit {
	row, ok := sel.X.(*ast.Ident)
	if !ok {
		return nil
	}
	table := f.rows[row.Name]
	if name, ok := table.(*ast.Ident); ok && len(f.values[name.Name]) == 1 {
		table = f.values[name.Name][0]
	}
	lit, ok := table.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	column := f.column(lit.Type, sel.Sel.Name)
	var edits []syntax.Edit
	for _, e := range lit.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			e = pair.Value // of a map
		}
		if value := cellOf(e, sel.Sel.Name, column); value != nil {
			edits = append(edits, f.altered(value, to)...)
		}
	}
	return edits
}

// column is the place of a field in the rows of a table; -1 where it is not known.
func (f *checkFinder) column(table ast.Expr, field string) int {
	var row ast.Expr
	switch t := table.(type) {
	case *ast.ArrayType:
		row = t.Elt
	case *ast.MapType:
		row = t.Value
	}
	s, ok := row.(*ast.StructType)
	if name, named := row.(*ast.Ident); named {
		s, ok = f.types[name.Name]
	}
	if !ok {
		return -1
	}
	at := 0
	for _, list := range s.Fields.List {
		for _, name := range list.Names {
			if name.Name == field {
				return at
			}
			at++
		}
	}
	return -1
}

// cellOf is the value that a row gives a field; nil where it gives none.
func cellOf(row ast.Expr, field string, column int) ast.Expr {
	if ref, ok := row.(*ast.UnaryExpr); ok {
		row = ref.X
	}
	lit, ok := row.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for i, e := range lit.Elts {
		pair, keyed := e.(*ast.KeyValueExpr)
		if !keyed && i == column {
			return e
		}
		if keyed {
			if name, ok := pair.Key.(*ast.Ident); ok && name.Name == field {
				return pair.Value
			}
		}
	}
	return nil
}
