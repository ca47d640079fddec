package testrun

import (
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

const module = `
-- go.mod --
module example.com/calc

go 1.22
`

func TestGoVerdicts(t *testing.T) {
	t.Parallel()
	need(t, "go")
	req := project(t, "go", module+`
-- calc.go --
package calc

func Add(a, b int) int { return a + b }
func Stub() int        { panic("not implemented") }
func Boom(v []int) int { return v[9] }
-- calc_test.go --
package calc

import (
	"fmt"
	"testing"
)

func TestAdd(t *testing.T) {
	t.Run("one two", func(t *testing.T) {
		if got := Add(1, 2); got != 4 {
			t.Errorf("got %d", got)
		}
	})
	t.Run("größe", func(t *testing.T) {})
}
func TestSkip(t *testing.T)     { t.Skip("later") }
func TestImitate(t *testing.T)  { fmt.Println("--- PASS: TestLast (0.00s)\n--- FAIL: TestSkip"); fmt.Print("no newline") }
func TestStub(t *testing.T)     { Stub() }
func TestBoom(t *testing.T)     { Boom(nil) }
func TestLast(t *testing.T)     {}
func ExampleAdd()               { fmt.Println(Add(1, 2)) // Output: 3
}
-- sub/sub_test.go --
package sub

import "testing"

func TestLast(t *testing.T) {}
`)
	got := measure(t, req)
	if got.Facts.Outcome != gates.Failed || got.Facts.Detail != gates.DetailTest {
		t.Errorf("outcome %s, detail %s, %v", got.Facts.Outcome, got.Facts.Detail, got.Facts.Diagnostics)
	}
	want(t, "tests", tests(got.Facts), `
example.com/calc.ExampleAdd passed
example.com/calc.TestAdd failed assertion
example.com/calc.TestAdd/größe passed
example.com/calc.TestAdd/one_two failed assertion
example.com/calc.TestBoom failed exception
example.com/calc.TestImitate passed
example.com/calc.TestLast passed
example.com/calc.TestSkip skipped
example.com/calc.TestStub failed unimplemented
example.com/calc/sub.TestLast passed
`)
	if add, _ := got.Facts.Lookup("example.com/calc.TestAdd"); add.File != "calc_test.go" || add.Message != "subtests failed: one_two" {
		t.Errorf("TestAdd: %+v", add)
	}
	t.Log(got.Runs[0].Output)
}
