package corpustest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// CoverageText is [Coverage].
func CoverageText(c *gates.Coverage) string { return Coverage(gates.Facts{Coverage: c}) }

// WriteProject is [Write].
func WriteProject(t *testing.T, dir string, files []txtar.File) {
	t.Helper()
	writeFiles(t, dir, files)
}

// Module is the go.mod of small projects.
const Module = `
-- go.mod --
module example.com/calc

go 1.22
`

// WithModules links a node_modules folder that has the package, or skips:
// TDD_NODE_MODULES names one.
func WithModules(t *testing.T, req testrun.Request, pkg string) {
	t.Helper()
	modules := os.Getenv("TDD_NODE_MODULES")
	if _, err := os.Stat(filepath.Join(modules, pkg, "package.json")); modules == "" || err != nil {
		t.Skipf("TDD_NODE_MODULES names no folder with %s", pkg)
	}
	if err := os.Symlink(modules, filepath.Join(req.Dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
}
