package testrun

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

// cover measures coverage and demands that our machinery worked.
func cover(t *testing.T, req Request) Result {
	t.Helper()
	got, err := Cover(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if got.Facts.Coverage == nil {
		t.Fatal("no coverage at all")
	}
	return got
}

// coverageText writes coverage, a file a line: path, lines reached, lines.
func coverageText(c *gates.Coverage) string {
	var out strings.Builder
	for _, f := range c.Files {
		fmt.Fprintf(&out, "%s %d/%d\n", f.Path, f.Reached, f.Lines)
	}
	if c.Unknown != "" {
		out.WriteString("unknown: " + c.Unknown + "\n")
	}
	return out.String()
}

func TestGoCoverage(t *testing.T) {
	t.Parallel()
	need(t, "go")
	const sources = module + `
-- calc.go --
package calc

import "example.com/calc/sub"

// Sum has a statement over several lines, and one that is never reached.
func Sum(a, b int) int {
	if a > 100 {

		// never
		return max(
			a,
			b,
		)
	} else if a == 99 {
		return 99
	}
	defer func() {
		_ = a
	}()
	return sub.Add(a, b)
}
-- sub/sub.go --
package sub

func Add(a, b int) int { return a + b }

func Never() {
	for range 3 {
		println("never")
	}
}
-- alone/alone.go --
package alone

func Alone() int { return 1 }
-- calc_test.go --
package calc

import "testing"

func TestSum(t *testing.T) {
	if Sum(1, 2) != 3 {
		t.Error("not 3")
	}
}
`
	req := project(t, "go", sources)
	got := cover(t, req)
	want(t, "tests", tests(got.Facts), "example.com/calc.TestSum passed")
	want(t, "coverage", coverageText(got.Facts.Coverage), `
alone/alone.go 0/1
calc.go 5/7
sub/sub.go 1/3
`)
	for _, argv := range [][]string{
		{"go", "test", "-coverprofile", "mine", "-covermode=atomic", "./..."},
		{"go", "test", "-count=1", "./...", "-coverprofile=mine"},
	} {
		req.Commands.Test = argv
		if again := cover(t, req); coverageText(again.Facts.Coverage) != coverageText(got.Facts.Coverage) {
			t.Errorf("%q: %s", argv, coverageText(again.Facts.Coverage))
		}
	}
	req.Commands.Test = []string{"sh", "-c", "go test ./..."}
	want(t, "by a script", coverageText(cover(t, req).Facts.Coverage),
		"unknown: for Go it is read from go test itself, and the test command is sh")
}

func TestGoCoverage_inAWorkspace(t *testing.T) {
	t.Parallel()
	need(t, "go")
	req := project(t, "go", `
-- go.work --
go 1.22

use (
	./one
	./two
)
-- one/go.mod --
module example.com/one

go 1.22
-- one/one.go --
package one

func One() int { return 1 }
-- one/one_test.go --
package one

import "testing"

func TestOne(t *testing.T) { One() }
-- two/go.mod --
module example.com/two

go 1.22
-- two/two.go --
package two

func Two() int { return 2 }
-- two/two_test.go --
package two

import "testing"

func TestTwo(t *testing.T) {}
`)
	want(t, "coverage", coverageText(cover(t, req).Facts.Coverage), "one/one.go 1/1\ntwo/two.go 0/1")
}

func TestCoverage_unknown(t *testing.T) {
	t.Parallel()
	need(t, "go")
	req := project(t, "go", module+`
-- calc.go --
package calc

func Boom() { panic("boom") }
-- calc_test.go --
package calc

import "testing"

func TestBoom(t *testing.T) {
	if testing.CoverMode() != "" {
		syscallExit()
	}
}
-- exit_test.go --
package calc

import "syscall"

func syscallExit() { syscall.Exit(0) }
`)
	got := cover(t, req)
	if !strings.HasPrefix(got.Facts.Coverage.Unknown, "with coverage switched on the tests end otherwise (crashed: ") {
		t.Errorf("coverage: %+v", got.Facts.Coverage)
	}
	req = project(t, "", "")
	req.Commands.Test = []string{"true"}
	want(t, "no reader", coverageText(cover(t, req).Facts.Coverage), `unknown: git-tdd cannot measure it for the language "generic"`)
	req.Commands.Test = nil
	want(t, "no command", coverageText(cover(t, req).Facts.Coverage), "unknown: no test command is configured")
}

func FuzzParseGoBlock(f *testing.F) {
	f.Add([]byte("example.com/calc/calc.go:3.14,5.2 1 7"))
	f.Add([]byte("mode: set"))
	f.Fuzz(func(t *testing.T, line []byte) {
		t.Parallel()
		block, _, ok := parseGoBlock(line)
		if ok && !strings.HasPrefix(string(line), block.file+":") {
			t.Errorf("%q is not the file in %q", block.file, line)
		}
	})
}

// Tools name files by their real paths; the workbench may be reached by a link.
func TestCoverage_behindASymbolicLink(t *testing.T) {
	t.Parallel()
	need(t, "npm", "node", "go")
	for language, expected := range map[string]string{
		"go":         "calc.go 1/1",
		"javascript": "calc.js 1/1",
		"python":     "calc.py 2/2",
		"rust":       "src/lib.rs 2/2",
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			req := project(t, language, module+`
-- calc.go --
package calc

func Sum(a, b int) int { return a + b }
-- calc_test.go --
package calc

import "testing"

func TestSum(t *testing.T) { Sum(1, 2) }
-- package.json --
{"scripts": {"test": "node --test"}}
-- calc.js --
exports.sum = (a, b) => a + b;
-- test/calc.test.js --
require('node:test')('sum', () => { require('../calc.js').sum(1, 2); });
-- pyproject.toml --
-- calc.py --
def add(a, b):
    return a + b
-- test_calc.py --
import calc


def test_add():
    assert calc.add(1, 2) == 3
-- Cargo.toml --
[package]
name = "calc"
version = "0.1.0"
edition = "2021"
-- src/lib.rs --
pub fn sum(a: i32, b: i32) -> i32 {
    a + b
}
-- tests/calc.rs --
#[test]
fn sums() {
    calc::sum(1, 2);
}
`)
			link := filepath.Join(t.TempDir(), "link")
			if err := os.Symlink(req.Dir, link); err != nil {
				t.Fatal(err)
			}
			req.Dir = link
			got := coverageText(cover(t, req).Facts.Coverage)
			if strings.Contains(got, "install") { // a tool that this machine lacks
				need(t, got)
			}
			want(t, "coverage", got, expected)
		})
	}
}
