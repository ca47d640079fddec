package testrun

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-tdd/git-tdd/gates"
)

// need skips a test where a tool is missing, but fails it in CI.
func need(t *testing.T, tools ...string) {
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

// project writes the files of a txtar text to a directory and returns a request
// to run what its language runs by default.
func project(t *testing.T, language, files string) Request {
	t.Helper()
	root := t.TempDir()
	req := Request{
		Dir: filepath.Join(root, "work"), Scratch: filepath.Join(root, "scratch"),
		Language: Generic(), Environ: os.Environ(),
	}
	if language != "" {
		lang, err := All().ByName(language)
		if err != nil {
			t.Fatal(err)
		}
		req.Language, req.Commands = lang, lang.Defaults
		req.Commands.Check = nil
	}
	req.Commands.Timeout = 2 * time.Minute
	if language == "rust" {
		req.Env = []string{"CARGO_NET_OFFLINE=true"}
	}
	write(t, req.Dir, files)
	return req
}

// write writes the files of a txtar text.
func write(t *testing.T, dir, files string) {
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

// measure measures and demands that our machinery worked.
func measure(t *testing.T, req Request) Result {
	t.Helper()
	got, err := Measure(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// tests writes the verdicts, one a line: id, status, class.
func tests(f gates.Facts) string {
	var out strings.Builder
	for _, t := range f.Tests {
		out.WriteString(strings.TrimSpace(t.ID+" "+string(t.Status)+" "+string(t.Class)) + "\n")
	}
	return out.String()
}

// diagnostics writes the findings, one a line, ordered: file, class, symbol.
func diagnostics(all []gates.Diagnostic) string {
	var out []string
	for _, d := range all {
		out = append(out, strings.Join(strings.Fields(d.File+" "+string(d.Class)+" "+d.Symbol), " "))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// want compares texts.
func want(t *testing.T, what, got, expected string) {
	t.Helper()
	if strings.TrimSpace(got) != strings.TrimSpace(expected) {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, strings.TrimSpace(expected))
	}
}

// module is the go.mod of small projects.
const module = `
-- go.mod --
module example.com/calc

go 1.22
`

// withModules links a node_modules folder that has the package, or skips:
// TDD_NODE_MODULES names one.
func withModules(t *testing.T, req Request, pkg string) {
	t.Helper()
	modules := os.Getenv("TDD_NODE_MODULES")
	if _, err := os.Stat(filepath.Join(modules, pkg, "package.json")); modules == "" || err != nil {
		t.Skipf("TDD_NODE_MODULES names no folder with %s", pkg)
	}
	if err := os.Symlink(modules, filepath.Join(req.Dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
}
