package golang

import (
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// isTest reports whether a function is one that go test runs.
func isTest(fn *ast.FuncDecl) bool {
	if fn.Recv != nil || fn.Name.Name == "TestMain" {
		return false
	}
	for _, prefix := range []string{"Test", "Fuzz", "Example"} {
		if rest, ok := strings.CutPrefix(fn.Name.Name, prefix); ok {
			first, _ := utf8.DecodeRuneInString(rest)
			return rest == "" || !unicode.IsLower(first)
		}
	}
	return false
}

// testFuncs lists the functions of a file that go test runs.
func testFuncs(file *ast.File) []*ast.FuncDecl {
	var out []*ast.FuncDecl
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && isTest(fn) {
			out = append(out, fn)
		}
	}
	return out
}

var testFuncPattern = lazyregexp.New(`(?m)^func ((?:Test|Fuzz|Example)(?:[^\p{Ll}\s(]\w*)?)\(`)

// declared names the tests, fuzz targets and examples, in order. A text that
// does not parse is searched line by line.
func declared(test string) []string {
	file, _ := parser.ParseFile(token.NewFileSet(), "", test, parser.SkipObjectResolution)
	var out []string
	if file != nil && len(file.Decls) > 0 {
		for _, fn := range testFuncs(file) {
			out = append(out, fn.Name.Name)
		}
		return out
	}
	for _, hit := range testFuncPattern.FindAllStringSubmatch(test, -1) {
		if hit[1] != "TestMain" {
			out = append(out, hit[1])
		}
	}
	return out
}

// place is where a test is declared.
type place struct {
	file string // relative to the project's root
	line int
	idle bool // go test does not run it here: it is for another system, or an example without output
}

// declarations finds the tests that the files of a package declare.
func declarations(root, dir string) map[string]place {
	out := make(map[string]place)
	names, _ := filepath.Glob(filepath.Join(root, dir, "*_test.go")) // a bad pattern finds nothing
	for _, name := range names {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if file == nil && err != nil {
			continue
		}
		here, err := build.Default.MatchFile(filepath.Dir(name), filepath.Base(name))
		shown := map[string]bool{}
		for _, e := range doc.Examples(file) {
			shown["Example"+e.Name] = e.Output != "" || e.EmptyOutput
		}
		for _, fn := range testFuncs(file) {
			runs, example := shown[fn.Name.Name]
			out[fn.Name.Name] = place{
				filepath.ToSlash(filepath.Join(dir, filepath.Base(name))), fset.Position(fn.Pos()).Line,
				err == nil && !here || example && !runs,
			}
		}
	}
	return out
}
