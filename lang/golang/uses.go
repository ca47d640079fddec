package golang

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun"
)

// uses says what the packages of a module use: their files and the data below them,
// the packages that they import, and whatever else their strings name. A package
// stands for its sources, and its tests together for all its files of tests.
func uses(p testrun.Sources) testrun.Uses {
	module := modfile.ModulePath([]byte(p.Read("go.mod")))
	if module == "" || p.Has("go.work") {
		return nil
	}
	g := &graph{Sources: p, module: module, packages: map[string]bool{}, uses: testrun.Uses{}}
	g.own = slices.DeleteFunc(slices.Clone(p.Paths), g.foreign)
	for _, name := range g.own {
		if path.Ext(name) == ".go" {
			g.packages[path.Dir(name)] = true
		}
	}
	for _, name := range g.own {
		g.file(name)
	}
	return g.uses
}

// graph is what the packages of a module use, while it is found out.
type graph struct {
	testrun.Sources

	module   string
	own      []string        // the paths of the module
	packages map[string]bool // by folder
	uses     testrun.Uses
}

// foreign reports whether a file belongs to another module, or to nobody's tests.
func (g *graph) foreign(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if path.Base(dir) == "vendor" || g.Has(dir+"/go.mod") {
			return true
		}
	}
	return slices.Contains([]string{"go.mod", "go.sum"}, name)
}

// of is the package in a folder, and inTests its tests.
func of(dir string) string      { return "package " + dir }
func inTests(dir string) string { return "tests of " + dir }

// file notes who uses a file, and what it uses itself. Data belongs to the nearest package above it.
func (g *graph) file(name string) {
	dir := path.Dir(name)
	for ; !g.packages[dir]; dir = path.Dir(dir) {
		if dir == "." {
			return
		}
	}
	tests := strings.HasSuffix(name, "_test.go")
	by := of(dir)
	if tests || strings.Contains("/"+name, "/testdata/") {
		by = inTests(dir)
	}
	g.uses.Add(by, name)
	g.uses.Add(inTests(dir), of(dir))
	if tests {
		g.uses.Add(name, by)
	}
	if path.Ext(name) == ".go" {
		g.text(dir, by, g.Read(name))
	}
}

// text notes what the text of a Go file says that its package, or the tests there, use.
func (g *graph) text(dir, by, content string) {
	if strings.Contains(content, `import "C"`) {
		g.uses.Add(by, testrun.Anything) // C includes what it likes
	}
	t := page().Parse(content)
	for i := range t.Len() {
		if word, err := strconv.Unquote(t.Word(i)); t.Kind(i) == syntax.Text && err == nil {
			g.uses.Add(by, g.named(dir, word, by == inTests(dir))...)
		}
	}
	for line := range strings.Lines(content) {
		if patterns, ok := strings.CutPrefix(line, "//go:embed "); ok {
			for pattern := range strings.FieldsSeq(patterns) {
				g.uses.Add(by, g.below(path.Join(dir, strings.Trim(strings.TrimPrefix(pattern, "all:"), `"`)))...)
			}
		}
	}
}

// named is what a string within a file of a package names.
func (g *graph) named(dir, word string, test bool) []string {
	rest, inside := strings.CutPrefix(word, g.module)
	at := path.Join(dir, word)
	switch {
	case test && word == "go": // what a test builds may be anything
		return []string{testrun.Anything}
	case inside && (rest == "" || rest[0] == '/') && g.packages[path.Join(".", rest)]:
		return []string{of(path.Join(".", rest))}
	case !strings.HasPrefix(word, "./") && !strings.HasPrefix(word, ".."), strings.HasPrefix(at, ".."):
		return nil
	case g.packages[at]:
		return append(g.below(at), of(at))
	}
	return g.below(at)
}

// below are the files at a path and below it, up to the first wildcard.
func (g *graph) below(at string) []string {
	if wild := strings.IndexAny(at, "*?["); wild >= 0 {
		at = path.Dir(at[:wild] + "x")
	}
	within := func(name string) bool { return at == "." || name == at || strings.HasPrefix(name, at+"/") }
	return slices.DeleteFunc(slices.Clone(g.own), func(name string) bool { return !within(name) })
}

// moduleDirs maps the module paths of a project to their directories, relative
// to its root.
type moduleDirs map[string]string

// findModules finds the module at a project's root, and those that a workspace
// file there uses.
func findModules(root string) moduleDirs {
	dirs := []string{"."}
	work := filepath.Join(root, "go.work")
	raw, _ := wholefile.Read(work) // most projects have none
	if file, err := modfile.ParseWork(work, raw, nil); err == nil {
		for _, use := range file.Use {
			dirs = append(dirs, filepath.Clean(filepath.FromSlash(use.Path)))
		}
	}
	out := make(moduleDirs)
	for _, dir := range dirs {
		if !filepath.IsLocal(dir) {
			continue
		}
		raw, err := wholefile.Read(filepath.Join(root, dir, "go.mod"))
		if module := modfile.ModulePath(raw); err == nil && module != "" {
			out[module] = dir
		}
	}
	return out
}

// sorted lists the directories.
func (m moduleDirs) sorted() []string { return slices.Sorted(maps.Values(m)) }

// packageDir is the directory of a package, relative to the root; "" where it
// belongs to no module of the project.
func (m moduleDirs) packageDir(importPath string) string {
	best, found := "", ""
	for module, dir := range m {
		if rest, ok := strings.CutPrefix(importPath, module); ok && (rest == "" || rest[0] == '/') && len(module) > len(best) {
			best, found = module, filepath.Join(dir, filepath.FromSlash(rest))
		}
	}
	return found
}
