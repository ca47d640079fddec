package golang

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

// module is the go.mod of small projects.
const module = `
-- go.mod --
module example.com/calc

go 1.22
`

func TestCoverage(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
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
	req := projecttest.Project(t, Language(), sources)
	got := projecttest.Cover(t, req)
	projecttest.Want(t, "tests", projecttest.Tests(got.Facts), "example.com/calc.TestSum passed")
	projecttest.Want(t, "coverage", projecttest.Coverage(got.Facts), `
alone/alone.go 0/1
calc.go 5/7
sub/sub.go 1/3
`)
	for _, argv := range [][]string{
		{"go", "test", "-coverprofile", "mine", "-covermode=atomic", "./..."},
		{"go", "test", "-count=1", "./...", "-coverprofile=mine"},
	} {
		req.Commands.Test = argv
		if again := projecttest.Cover(t, req); projecttest.Coverage(again.Facts) != projecttest.Coverage(got.Facts) {
			t.Errorf("%q: %s", argv, projecttest.Coverage(again.Facts))
		}
	}
	req.Commands.Test = []string{"sh", "-c", "go test ./..."}
	projecttest.Want(t, "by a script", projecttest.Coverage(projecttest.Cover(t, req).Facts),
		"unknown: for Go it is read from go test itself, and the test command is sh")
}

func TestCoverage_inAWorkspace(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	req := projecttest.Project(t, Language(), `
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
	projecttest.Want(t, "coverage", projecttest.Coverage(projecttest.Cover(t, req).Facts), "one/one.go 1/1\ntwo/two.go 0/1")
}

func TestCoverage_unknown(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	req := projecttest.Project(t, Language(), module+`
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
	got := projecttest.Cover(t, req)
	if !strings.HasPrefix(got.Facts.Coverage.Unknown, "with coverage switched on the tests end otherwise (crashed: ") {
		t.Errorf("coverage: %+v", got.Facts.Coverage)
	}
	req = projecttest.Project(t, testrun.Generic(), "")
	req.Commands.Test = []string{"true"}
	projecttest.Want(t, "no reader", projecttest.Coverage(projecttest.Cover(t, req).Facts), `unknown: git-tdd cannot measure it for the language "generic"`)
	req.Commands.Test = nil
	projecttest.Want(t, "no command", projecttest.Coverage(projecttest.Cover(t, req).Facts), "unknown: no test command is configured")
}
