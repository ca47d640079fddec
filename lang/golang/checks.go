package golang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// checks finds what decides whether the tests of a file pass. A text that does not
// parse has none.
func checks(test string, _ gates.Kind) []syntax.Check {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", test, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	f := &checkFinder{src: test, base: int(file.FileStart), packages: map[string]bool{}, types: map[string]*ast.StructType{}, values: map[string][]ast.Expr{}}
	for _, i := range file.Imports {
		f.packages[importName(i)] = true
	}
	for _, decl := range file.Decls {
		f.declared(decl)
	}
	f.shared = f.values
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
			f.function(fn, file.Comments)
		}
	}
	return f.out
}

// importName is the name by which a file knows a package, as far as its path tells.
func importName(i *ast.ImportSpec) string {
	if i.Name != nil {
		return i.Name.Name
	}
	path := strings.Trim(i.Path.Value, "`\"")
	return path[strings.LastIndexByte(path, '/')+1:]
}

// checkFinder collects the checks of a file.
type checkFinder struct {
	src      string
	base     int             // the position of the first byte
	packages map[string]bool // that are imported
	types    map[string]*ast.StructType
	shared   map[string][]ast.Expr // what the constants and variables of the file are given
	out      []syntax.Check

	// These are of the function under way.
	test, unit string
	values     map[string][]ast.Expr // what its variables were given
	rows       map[string]ast.Expr   // the tables that its loop variables go through
}

// declared notes the struct types of a file, of which the rows of tables may be,
// and what its constants and variables are given.
func (f *checkFinder) declared(decl ast.Decl) {
	general, ok := decl.(*ast.GenDecl)
	if !ok {
		return
	}
	for _, spec := range general.Specs {
		f.assigned(spec)
		if t, ok := spec.(*ast.TypeSpec); ok {
			if s, ok := t.Type.(*ast.StructType); ok {
				f.types[t.Name.Name] = s
			}
		}
	}
}

// function collects the checks of a function. One that is no test is a helper.
func (f *checkFinder) function(fn *ast.FuncDecl, comments []*ast.CommentGroup) {
	f.test, f.unit = "", fn.Name.Name
	if isTest(fn) || fn.Recv != nil && strings.HasPrefix(fn.Name.Name, "Test") {
		f.test = fn.Name.Name
	}
	f.values, f.rows = maps.Clone(f.shared), map[string]ast.Expr{}
	ast.Inspect(fn.Body, f.assigned)
	ast.Inspect(fn.Body, f.visit)
	if strings.HasPrefix(f.test, "Example") {
		f.example(fn, comments)
	}
}

// assigned notes what variables are given, and what loops go through.
func (f *checkFinder) assigned(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if name, ok := left.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
				f.values[name.Name] = append(f.values[name.Name], n.Rhs[i])
			} else if ok {
				f.values[name.Name] = append(f.values[name.Name], nil)
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if i < len(n.Values) {
				f.values[name.Name] = append(f.values[name.Name], n.Values[i])
			}
		}
	case *ast.RangeStmt:
		if row, ok := n.Value.(*ast.Ident); ok {
			f.rows[row.Name] = n.X
		}
	}
	return true
}

// visit finds the checks below a node.
func (f *checkFinder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		f.branch(n)
	case *ast.CaseClause:
		if f.fails(n.Body) && len(n.List) == 1 && comparison(n.List[0]) {
			f.condition(n.List[0], nil, met)
		}
	case *ast.CallExpr:
		if f.subtest(n) {
			return false
		}
		f.call(n)
	}
	return true
}

// subtest goes through a call of t.Run: what it runs is a part of its own.
func (f *checkFinder) subtest(n *ast.CallExpr) bool {
	if name := selected(n); name != "Run" && name != "Fuzz" || len(n.Args) == 0 {
		return false
	}
	body, ok := n.Args[len(n.Args)-1].(*ast.FuncLit)
	if !ok {
		return false
	}
	outer := f.unit
	f.unit = f.test + "@" + f.text(n.Args[0])
	ast.Inspect(body.Body, f.visit)
	f.unit = outer
	return true
}

// selected is the method or function that a call selects; empty where it is of
// another form.
func selected(n *ast.CallExpr) string {
	if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
		return sel.Sel.Name
	}
	return ""
}

// branch notes an if one of whose arms fails the test.
func (f *checkFinder) branch(n *ast.IfStmt) {
	fails := f.fails(n.Body.List)
	otherwise, _ := n.Else.(*ast.BlockStmt)
	if !fails && (otherwise == nil || !f.fails(otherwise.List)) {
		return
	}
	f.condition(n.Cond, n.Init, sense(fails))
}

// condition notes a condition that fails the test when it is met, or when it is
// not.
func (f *checkFinder) condition(cond ast.Expr, init ast.Stmt, fails sense) {
	c := syntax.Check{
		Test: f.test, Unit: f.unit, Guard: fails == met && guards(cond), At: f.span(cond),
		Negated: []syntax.Edit{f.insert(cond.Pos(), "!("), f.insert(cond.End(), ")")},
	}
	if c.Altered = f.decided(cond, fails); madeHere(init, cond) {
		c.Altered = f.difference(init)
	}
	f.out = append(f.out, c)
}

// guards reports whether a condition only says that something went wrong on the
// way: err != nil, !ok.
func guards(cond ast.Expr) bool {
	switch c := cond.(type) {
	case *ast.BinaryExpr:
		if c.Op == token.LOR {
			return guards(c.X) && guards(c.Y)
		}
		return c.Op == token.NEQ && (isNil(c.Y) || isNil(c.X))
	case *ast.UnaryExpr:
		name, ok := c.X.(*ast.Ident)
		return ok && c.Op == token.NOT && name.Name == "ok"
	}
	return false
}

func isNil(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && name.Name == "nil"
}

func comparison(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return slices.Contains([]token.Token{token.EQL, token.NEQ, token.LSS, token.GTR, token.LEQ, token.GEQ, token.LAND, token.LOR}, e.Op)
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	}
	return false
}

// fails reports whether one of some statements fails the test, itself or in a
// block within it.
func (f *checkFinder) fails(body []ast.Stmt) bool {
	found := false
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IfStmt, *ast.FuncLit:
				return false
			case *ast.CallExpr:
				found = found || f.failing(n)
			}
			return !found
		})
	}
	return found
}

// failing reports whether a call fails a test by itself.
func (f *checkFinder) failing(n *ast.CallExpr) bool {
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains([]string{"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"}, sel.Sel.Name) {
		return false
	}
	on, ok := sel.X.(*ast.Ident)
	return !ok || !f.packages[on.Name] && (sel.Sel.Name != "Error" || len(n.Args) > 0)
}

// madeHere reports whether a condition is about an error or a difference that the
// statement before it makes: what it compares with is no value that is expected.
func madeHere(init ast.Stmt, cond ast.Expr) bool {
	assign, ok := init.(*ast.AssignStmt)
	c, compares := cond.(*ast.BinaryExpr)
	if !ok || !compares || len(assign.Lhs) != 1 {
		return false
	}
	left, _ := assign.Lhs[0].(*ast.Ident)
	name, _ := c.X.(*ast.Ident)
	empty, _ := c.Y.(*ast.BasicLit)
	return left != nil && name != nil && left.Name == name.Name && (isNil(c.Y) || empty != nil && (empty.Value == `""` || empty.Value == "0"))
}

// difference alters what a call that compares expects: diff := cmp.Diff(want, got).
func (f *checkFinder) difference(init ast.Stmt) []syntax.Edit {
	assign, _ := init.(*ast.AssignStmt)
	call, ok := assign.Rhs[0].(*ast.CallExpr)
	if !ok || !strings.Contains(strings.ToLower(f.text(call.Fun)), "diff") {
		return nil
	}
	return f.argument(call.Args)
}
