package golang

import (
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

var (
	testPattern     = lazyregexp.New(`^(?:Test|Fuzz|Example)(?:[^\p{Ll}].*)?$`)
	functionPattern = lazyregexp.New(`(?m)^[ \t]*func[ \t]+([\pL\pN_]+)[ \t]*\(`)
)

// isTest reports whether go test runs a function of a name.
func isTest(name string) bool { return name != "TestMain" && testPattern.MatchString(name) }

// declared names the tests, fuzz targets and examples, in order.
func declared(test string) []string {
	_, code := page().Mask(test)
	var out []string
	for _, hit := range functionPattern().FindAllStringSubmatch(code, -1) {
		if isTest(hit[1]) {
			out = append(out, hit[1])
		}
	}
	return out
}

// place is where a test is declared.
type place struct {
	file  string // relative to the project's root
	line  int
	unrun bool // go test does not run it here: it is for another system, or an example without output
}

// declarations finds the tests that the files of a package declare.
func declarations(root, dir string) map[string]place {
	out := make(map[string]place)
	names, _ := filepath.Glob(filepath.Join(root, dir, "*_test.go")) // a bad pattern finds nothing
	for _, name := range names {
		fset := token.NewFileSet()
		file, _ := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if file == nil {
			continue
		}
		here, broken := build.Default.MatchFile(filepath.Dir(name), filepath.Base(name))
		silent := map[string]bool{}
		for _, e := range doc.Examples(file) {
			silent["Example"+e.Name] = e.Output == "" && !e.EmptyOutput
		}
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && isTest(fn.Name.Name) {
				out[fn.Name.Name] = place{
					filepath.ToSlash(filepath.Join(dir, filepath.Base(name))), fset.Position(fn.Pos()).Line,
					broken == nil && !here || silent[fn.Name.Name],
				}
			}
		}
	}
	return out
}
