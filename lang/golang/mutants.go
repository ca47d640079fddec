package golang

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
)

// mutants lists small changes of a source: what a function returns, what a
// condition asks, an operator, a constant.
func mutants(content string) []syntax.Mutant { return mutated(content).found }

// near lists texts in a source with their letters in the other case.
func near(content string) []syntax.Mutant { return mutated(content).near }

func mutated(content string) *mutator {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", content, parser.SkipObjectResolution)
	if err != nil {
		return &mutator{}
	}
	m := &mutator{checkFinder: checkFinder{src: content, base: int(file.FileStart)}, fset: fset}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Body != nil {
				m.function(decl.Type, decl.Body)
			}
		case *ast.GenDecl:
			if decl.Tok == token.VAR || decl.Tok == token.CONST {
				ast.Inspect(decl, m.visit)
			}
		}
	}
	return m
}

// mutator collects the mutants of a file.
type mutator struct {
	checkFinder
	fset    *token.FileSet
	results []string // the types of what the function under way returns
	found   []syntax.Mutant
	near    []syntax.Mutant
}

// function collects the mutants of a function.
func (m *mutator) function(signature *ast.FuncType, body *ast.BlockStmt) {
	outer := m.results
	m.results = nil
	if signature.Results != nil {
		for _, field := range signature.Results.List {
			for range max(1, len(field.Names)) {
				m.results = append(m.results, m.text(field.Type))
			}
		}
	}
	ast.Inspect(body, m.visit)
	m.results = outer
}

// note adds a mutant that puts a text in the place of a node.
func (m *mutator) note(rank int, n ast.Node, text string) {
	made := m.made(n, text)
	made.Rank = rank
	m.found = append(m.found, made)
}

// made is a mutant that puts a text in the place of a node.
func (m *mutator) made(n ast.Node, text string) syntax.Mutant {
	return syntax.Mutant{
		Line: m.fset.Position(n.Pos()).Line, What: text + " for " + m.text(n),
		Edit: syntax.Edit{Span: m.span(n), Text: text},
	}
}

func (m *mutator) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		m.function(n.Type, n.Body)
		return false
	case *ast.ReturnStmt:
		m.returned(n)
	case *ast.IfStmt:
		m.note(1, n.Cond, "!("+m.text(n.Cond)+")")
	case *ast.CaseClause:
		for _, e := range n.List {
			if comparison(e) {
				m.note(1, e, "!("+m.text(e)+")")
			}
		}
	case *ast.BinaryExpr:
		if to := swapped(n.Op); to != "" {
			m.note(2, n, m.text(n.X)+" "+to+" "+m.text(n.Y))
		}
	case *ast.BasicLit:
		m.constant(n)
	case *ast.AssignStmt:
		if to := swappedAssignment(n.Tok); to != "" {
			m.note(2, n, m.text(n.Lhs[0])+" "+to+" "+m.text(n.Rhs[0]))
		}
	case *ast.CallExpr:
		return !tells(n)
	case *ast.ImportSpec:
		return false
	}
	return true
}

// tells reports whether a call only puts a message together.
func tells(n *ast.CallExpr) bool {
	name := selected(n)
	if fn, ok := n.Fun.(*ast.Ident); ok {
		name = fn.Name
	}
	return slices.Contains([]string{"panic", "Errorf", "New", "Println", "Printf", "Print", "Fatal", "Fatalf"}, name)
}

// returned mutates what a function returns: its first result that is no error, or
// the error where there is nothing else.
func (m *mutator) returned(n *ast.ReturnStmt) {
	if len(n.Results) != len(m.results) {
		return
	}
	if len(n.Results) == 1 && m.results[0] == "error" {
		m.forgiven(n.Results[0])
	}
	for i, e := range n.Results {
		if m.results[i] == "error" {
			continue
		}
		if to := anotherValue(m.results[i], m.text(e)); to != "" && to != m.text(e) {
			m.note(0, e, to)
		}
		return
	}
}

// forgiven mutates an error that is returned as it came.
func (m *mutator) forgiven(e ast.Expr) {
	if name, ok := e.(*ast.Ident); ok && name.Name != "nil" {
		m.note(0, e, "nil")
	}
}

// anotherValue is another value of a type than one that is written as a text.
func anotherValue(of, than string) string {
	switch {
	case of == "bool" && (than == "true" || than == "false"):
		return map[string]string{"true": "false", "false": "true"}[than]
	case of == "bool":
		return "!(" + than + ")"
	case of == "string":
		return "(" + than + ` + "~")`
	case strings.Contains(" int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 byte rune float32 float64 ", " "+of+" "):
		return "(" + than + " + 1)"
	case strings.HasPrefix(of, "[]"), strings.HasPrefix(of, "*"), strings.HasPrefix(of, "map["):
		return "nil"
	}
	return ""
}

// constant mutates a literal.
func (m *mutator) constant(n *ast.BasicLit) {
	switch n.Kind { //nolint:exhaustive // there are no other literals but IMAG
	case token.INT, token.FLOAT:
		m.note(3, n, "("+n.Value+" + 1)")
	case token.STRING:
		m.note(3, n, "("+n.Value+` + "~")`)
		if other := syntax.OtherCase(n.Value); other != n.Value {
			m.near = append(m.near, m.made(n, other))
		}
	case token.CHAR:
		m.note(3, n, "("+n.Value+" + 1)")
	}
}

// swapped is the operator that takes another's place; empty where none does.
func swapped(op token.Token) string {
	return map[token.Token]string{
		token.ADD: "-", token.SUB: "+", token.MUL: "+", token.QUO: "*", token.REM: "*",
		token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
		token.EQL: "!=", token.NEQ: "==", token.LAND: "||", token.LOR: "&&",
		token.AND: "|", token.OR: "&", token.XOR: "&", token.SHL: ">>", token.SHR: "<<",
	}[op]
}

// swappedAssignment is swapped for an operator that assigns.
func swappedAssignment(op token.Token) string {
	return map[token.Token]string{
		token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.MUL_ASSIGN: "+=", token.QUO_ASSIGN: "*=",
		token.REM_ASSIGN: "*=", token.OR_ASSIGN: "&=", token.AND_ASSIGN: "|=", token.XOR_ASSIGN: "&=",
	}[op]
}

// code is a source without its comments and its layout.
func code(content string) string {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", fset.Base(), len(content)), []byte(content), func(token.Position, string) {}, 0)
	var out strings.Builder
	for {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			return out.String()
		}
		if tok == token.SEMICOLON {
			text = ";" // one that a line break stands for is none other
		}
		out.WriteString(cmp.Or(text, tok.String()))
		out.WriteByte('\n')
	}
}
