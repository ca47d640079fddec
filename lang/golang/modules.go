package golang

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
)

// moduleDirs maps the module paths of a project to their directories, relative
// to its root.
type moduleDirs map[string]string

// findModules finds the module at a project's root, and those that a workspace
// file there uses.
func findModules(root string) moduleDirs {
	dirs := []string{"."}
	work := filepath.Join(root, "go.work")
	if raw, err := wholefile.Read(work); err == nil {
		if file, err := modfile.ParseWork(work, raw, nil); err == nil {
			for _, use := range file.Use {
				dirs = append(dirs, filepath.Clean(filepath.FromSlash(use.Path)))
			}
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

// covers reports whether a workspace file names the module in a folder. Without one,
// every module is tested by itself.
func covers(p testrun.Sources, dir string) bool {
	file, err := modfile.ParseWork("go.work", []byte(p.Read("go.work")), nil)
	return err == nil && slices.ContainsFunc(file.Use, func(use *modfile.Use) bool { return path.Clean(use.Path) == dir })
}
