package golang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// goModules finds the modules of a project: the one at its root, and those that
// a workspace file there uses. It maps module paths to directories relative to
// the root.
func goModules(root string) map[string]string {
	dirs := []string{"."}
	work := filepath.Join(root, "go.work")
	if raw, err := os.ReadFile(work); err == nil {
		if file, err := modfile.ParseWork(work, raw, nil); err == nil {
			for _, use := range file.Use {
				dirs = append(dirs, filepath.Clean(filepath.FromSlash(use.Path)))
			}
		}
	}
	out := make(map[string]string)
	for _, dir := range dirs {
		if !filepath.IsLocal(dir) {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(root, dir, "go.mod")) //nolint:gosec // local to the workbench
		if module := modfile.ModulePath(raw); err == nil && module != "" {
			out[module] = dir
		}
	}
	return out
}

// goArgs adds flags to a call of go test. Any other command is not ok. In a
// workspace whose root is no module, ./... is replaced by the modules' own.
func goArgs(argv []string, modules map[string]string) (out []string, ok bool) {
	if base := filepath.Base(argv[0]); (base != "go" && base != "go.exe") || len(argv) < 2 || argv[1] != "test" {
		return argv, false
	}
	out = []string{argv[0], "test"}
	for _, flag := range []string{"-json", "-gcflags=-e", "-count=1"} {
		if !hasGoFlag(argv, flag) {
			out = append(out, flag)
		}
	}
	for _, arg := range argv[2:] {
		if arg == "./..." && len(modules) > 0 && !slices.Contains(valuesOf(modules), ".") {
			for _, dir := range valuesOf(modules) {
				out = append(out, "./"+filepath.ToSlash(dir)+"/...")
			}
			continue
		}
		out = append(out, arg)
	}
	return out, true
}

// hasGoFlag reports whether a flag is given, with one dash or two.
func hasGoFlag(argv []string, flag string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
	return slices.ContainsFunc(argv, func(arg string) bool {
		given, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		return strings.HasPrefix(arg, "-") && given == name
	})
}

// valuesOf returns the values of a map, ordered.
func valuesOf(m map[string]string) []string {
	out := make([]string, 0, len(m))
	for _, v := range m {
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}

// place is where a test is declared.
type place struct {
	file string // relative to the project's root
	line int
}

// packageDir is the directory of a package, relative to the root; "" where it
// belongs to no module of the project.
func packageDir(modules map[string]string, importPath string) string {
	best, found := "", ""
	for module, dir := range modules {
		if rest, ok := strings.CutPrefix(importPath, module); ok && (rest == "" || rest[0] == '/') && len(module) > len(best) {
			best, found = module, filepath.Join(dir, filepath.FromSlash(rest))
		}
	}
	return found
}

// declarations finds the tests that the files of a package declare.
func declarations(root, dir string) map[string]place {
	out := make(map[string]place)
	names, _ := filepath.Glob(filepath.Join(root, dir, "*_test.go")) // a bad pattern finds nothing
	for _, name := range names {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if file == nil && err != nil {
			continue
		}
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && testName(fn) {
				out[fn.Name.Name] = place{
					filepath.ToSlash(filepath.Join(dir, filepath.Base(name))), fset.Position(fn.Pos()).Line,
				}
			}
		}
	}
	return out
}
