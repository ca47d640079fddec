package corpustest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// Need skips a test where a tool is missing, but fails it in CI.
func Need(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err == nil {
			continue
		}
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is not installed", tool)
		}
		t.Skipf("%s is not installed", tool)
	}
}

// Project writes the files of a txtar text to a directory and returns a request
// to run what its language runs by default.
func Project(t *testing.T, language testrun.Language, files string) testrun.Request {
	t.Helper()
	root := t.TempDir()
	req := testrun.Request{
		Dir: filepath.Join(root, "work"), Scratch: filepath.Join(root, "scratch"),
		Language: language, Commands: language.Defaults, Environ: os.Environ(),
	}
	req.Commands.Check, req.Commands.Timeout = nil, 2*time.Minute
	Write(t, req.Dir, files)
	return req
}

// Write writes the files of a txtar text.
func Write(t *testing.T, dir, files string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(files)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Measure measures and demands that our machinery worked.
func Measure(t *testing.T, req testrun.Request) testrun.Result {
	t.Helper()
	got, err := testrun.Measure(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Tests writes the verdicts, one a line: id, status, class.
func Tests(f gates.Facts) string {
	var out strings.Builder
	for _, t := range f.Tests {
		out.WriteString(strings.TrimSpace(t.ID+" "+string(t.Status)+" "+string(t.Class)) + "\n")
	}
	return out.String()
}

// Diagnostics writes the findings, one a line, ordered: file, class, symbol.
func Diagnostics(all []gates.Diagnostic) string {
	var out []string
	for _, d := range all {
		out = append(out, strings.Join(strings.Fields(d.File+" "+string(d.Class)+" "+d.Symbol), " "))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// Want compares texts.
func Want(t *testing.T, what, got, expected string) {
	t.Helper()
	if strings.TrimSpace(got) != strings.TrimSpace(expected) {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, strings.TrimSpace(expected))
	}
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

// Cover measures coverage and demands that our machinery worked.
func Cover(t *testing.T, req testrun.Request) testrun.Result {
	t.Helper()
	got, err := testrun.Cover(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if got.Facts.Coverage == nil {
		t.Fatal("no coverage at all")
	}
	return got
}

// CoverageText writes coverage, a file a line: path, lines reached, lines.
func CoverageText(c *gates.Coverage) string {
	var out strings.Builder
	for _, f := range c.Files {
		fmt.Fprintf(&out, "%s %d/%d\n", f.Path, f.Reached, f.Lines)
	}
	if c.Unknown != "" {
		out.WriteString("unknown: " + c.Unknown + "\n")
	}
	return out.String()
}

// Shell is a request to run a script by exit code.
func Shell(t *testing.T, script string) testrun.Request {
	t.Helper()
	Need(t, "sh")
	req := Project(t, testrun.Generic(), "-- keep --\n")
	req.Commands.Test = []string{"sh", "-c", script}
	return req
}
