package lazyregexp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// A regular expression that nobody has used yet may be malformed. This compiles
// all of the module that are written out where they are made.
func TestAllOfTheModuleCompile(t *testing.T) {
	t.Parallel()
	found := 0
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" || strings.Contains(filepath.ToSlash(name), "/testdata/") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			if fn, ok := call.Fun.(*ast.SelectorExpr); !ok || fn.Sel.Name != "New" || !named(fn.X, "lazyregexp") {
				return true
			}
			if text, ok := written(call.Args[0]); ok {
				found++
				if _, err := regexp.Compile(text); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || found < 100 {
		t.Fatalf("%d found: %v", found, err)
	}
}

func named(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// written is a text that stands in the source, in one or several literals.
func written(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, ok := written(e.X)
		right, too := written(e.Y)
		return left + right, ok && too
	}
	return "", false
}

func TestRegexp(t *testing.T) {
	t.Parallel()
	re := lazyregexp.New(`a(b+)`)
	if !re().MatchString("cab") || re().FindStringSubmatch("abb")[1] != "bb" || re().ReplaceAllString("ab ab", "$1") != "b b" {
		t.Error("it is not what regexp makes of it")
	}
}
