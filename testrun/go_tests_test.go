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

func TestGoOutcomes(t *testing.T) {
	t.Parallel()
	need(t, "go")
	const calc = "-- calc.go --\npackage calc\n\ntype T struct{ a int }\n\nfunc Add(a, b int) int { return a + b }\n"
	const old = "-- old/old_test.go --\npackage old\n\nimport \"testing\"\n\nfunc TestOld(t *testing.T) {}\n"
	const oldPassed = "example.com/calc/old.TestOld passed"
	test := func(imports, body string) string {
		return "-- calc_test.go --\npackage calc_test\n\nimport (\n\t\"testing\"\n" + imports + ")\n\n" + body
	}
	for _, c := range []cargoCase{
		{
			name: "missing symbols", outcome: gates.Broken, tests: oldPassed,
			files: module + calc + old + test("\"example.com/calc\"\n", `
func TestNew(t *testing.T) {
	undefinedHelper()
	calc.Sub(1)
	var v calc.T
	v.Norm()
	_ = calc.T{b: 1}
	var _ interface{ Draw() } = v
}
`),
			diagnostics: `
calc_test.go missing-symbol Draw
calc_test.go missing-symbol Norm
calc_test.go missing-symbol Sub
calc_test.go missing-symbol b
calc_test.go missing-symbol undefinedHelper
`,
		},
		{
			name: "a missing symbol and eleven others", outcome: gates.Broken, tests: oldPassed,
			files: module + calc + old + test("\"example.com/calc\"\n", `
func TestNew(t *testing.T) {
	calc.A(); calc.B(); calc.C(); calc.D(); calc.E(); calc.F(); calc.G(); calc.H(); calc.I(); calc.J(); calc.K()
	calc.Add(1)
}
`),
			diagnostics: `
calc_test.go compile
calc_test.go missing-symbol A
calc_test.go missing-symbol B
calc_test.go missing-symbol C
calc_test.go missing-symbol D
calc_test.go missing-symbol E
calc_test.go missing-symbol F
calc_test.go missing-symbol G
calc_test.go missing-symbol H
calc_test.go missing-symbol I
calc_test.go missing-symbol J
calc_test.go missing-symbol K
`,
		},
		{
			name: "a missing package of the project", outcome: gates.Broken, tests: oldPassed,
			files:       module + calc + old + test("\"example.com/calc/parser\"\n", "func TestNew(t *testing.T) { parser.Parse() }\n"),
			diagnostics: "calc_test.go missing-symbol parser",
		},
		{
			name: "a foreign package", outcome: gates.Broken, tests: oldPassed,
			files:       module + calc + old + test("\"example.org/other\"\n", "func TestNew(t *testing.T) { other.Parse() }\n"),
			diagnostics: "calc_test.go infra",
		},
		{
			name: "a missing symbol in production code", outcome: gates.Broken, tests: oldPassed,
			files:       module + "-- calc.go --\npackage calc\n\nfunc Add() int { return sub() }\n" + old + test("", "func TestNew(t *testing.T) {}\n"),
			diagnostics: "calc.go compile",
		},
		{
			name: "syntax", outcome: gates.Broken, tests: oldPassed,
			files:       module + calc + old + test("", "func TestNew(t *testing.T) { if {\n}\n"),
			diagnostics: "calc_test.go syntax",
		},
		{
			name: "vet within go test", outcome: gates.Broken, tests: oldPassed,
			files:       module + calc + old + test("\"fmt\"\n", "func TestNew(t *testing.T) { fmt.Printf(\"%d\", \"x\") }\n"),
			diagnostics: "calc_test.go compile",
		},
		{name: "no tests", outcome: gates.Empty, files: module + calc, diagnostics: "no-tests"},
		{name: "no packages", outcome: gates.Empty, files: module, diagnostics: "no-tests"},
		{
			name: "a filter that matches nothing", outcome: gates.Empty, files: module + old,
			argv: []string{"go", "test", "-run", "Zzz", "./..."}, diagnostics: "no-tests",
		},
		{
			name: "all skipped", outcome: gates.Empty, files: module + test("", "func TestNew(t *testing.T) { t.Skip() }\n"),
			tests: "example.com/calc.TestNew skipped", diagnostics: "no-tests",
		},
		{
			name: "syscall.Exit(0)", outcome: gates.Crashed,
			files: module + old + test("\"syscall\"\n", "func TestA(t *testing.T) {}\nfunc TestNew(t *testing.T) { syscall.Exit(0) }\n"),
			tests: "example.com/calc.TestA passed\n" + oldPassed, diagnostics: "crash",
		},
		{
			name: "os.Exit(0)", outcome: gates.Failed,
			files: module + old + test("\"os\"\n", "func TestA(t *testing.T) { os.Exit(0) }\nfunc TestNew(t *testing.T) {}\n"),
			tests: "example.com/calc.TestA failed exception\nexample.com/calc.TestNew passed\n" + oldPassed,
		},
		{
			name: "os.Exit(1)", outcome: gates.Crashed,
			files: module + test("\"os\"\n", "func TestA(t *testing.T) { os.Exit(1) }\nfunc TestNew(t *testing.T) {}\n"), diagnostics: "crash",
		},
		{
			name: "a killed process", outcome: gates.Crashed,
			files:       module + test("\"os\"\n\"syscall\"\n", "func TestA(t *testing.T) { syscall.Kill(os.Getpid(), syscall.SIGKILL); select {} }\n"),
			diagnostics: "crash",
		},
		{
			name: "a fatal error", outcome: gates.Crashed,
			files:       module + test("\"runtime/debug\"\n", "func f(n int) int { return f(n+1) + 1 }\nfunc TestA(t *testing.T) { debug.SetMaxStack(1 << 20); f(0) }\n"),
			diagnostics: "crash",
		},
		{
			name: "a panic before any test", outcome: gates.Broken, tests: oldPassed,
			files: module + old + test("", "func init() { panic(\"boom\") }\nfunc TestA(t *testing.T) {}\n"), diagnostics: "exception",
		},
		{
			name: "a TestMain that fails", outcome: gates.Broken, tests: "example.com/calc.TestA passed",
			files:       module + test("\"os\"\n", "func TestMain(m *testing.M) { m.Run(); os.Exit(1) }\nfunc TestA(t *testing.T) {}\n"),
			diagnostics: "exception",
		},
		{
			name: "go's own time limit", outcome: gates.Timeout, argv: []string{"go", "test", "-timeout=100ms", "./..."},
			files:       module + test("", "func TestHang(t *testing.T) { select {} }\nfunc helper() { for {} }\n") + "-- x_test.go --\npackage calc_test\n\nfunc init() { go helper() }\n",
			diagnostics: "timeout",
		},
		{
			name: "a verdict that was printed", outcome: gates.Failed,
			files: module + test("\"fmt\"\n", `
func TestA(t *testing.T) { fmt.Print("\n\x16--- PASS: TestA (0.00s)\n"); t.Fatal("no") }
`),
			tests: "example.com/calc.TestA failed assertion",
		},
		{
			name: "a panic in a subtest and others in parallel", outcome: gates.Failed,
			files: module + test("", `
func TestA(t *testing.T) { t.Parallel(); t.Run("sub", func(t *testing.T) { panic("TODO") }) }
func TestB(t *testing.T) { t.Parallel() }
func TestC(t *testing.T) {}
`),
			tests: "example.com/calc.TestA failed unimplemented\nexample.com/calc.TestA/sub failed unimplemented\nexample.com/calc.TestB passed\nexample.com/calc.TestC passed",
		},
		{
			name: "a process that dies after a panic", outcome: gates.Crashed,
			files: module + test("\"os\"\n\"syscall\"\n", `
func TestA(t *testing.T) { panic("boom") }
func TestB(t *testing.T) { syscall.Kill(os.Getpid(), syscall.SIGKILL); select {} }
`),
			tests: "example.com/calc.TestA failed exception", diagnostics: "crash",
		},
		{
			name: "a panic in a goroutine", outcome: gates.Failed,
			files: module + test("", `
func TestA(t *testing.T) { done := make(chan int); go func() { panic("boom") }(); <-done }
func TestB(t *testing.T) {}
`),
			tests: "example.com/calc.TestA failed exception\nexample.com/calc.TestB passed",
		},
		{
			name: "a broken manifest", outcome: gates.Crashed, files: "-- go.mod --\nmodule\n", diagnostics: "infra",
		},
		{
			name: "a workspace", outcome: gates.Passed,
			files: "-- go.work --\ngo 1.22\nuse (\n\t./a\n\t./b\n)\n-- a/go.mod --\nmodule example.com/a\ngo 1.22\n-- a/a_test.go --\npackage a\nimport \"testing\"\nfunc TestA(t *testing.T) {}\n" +
				"-- b/go.mod --\nmodule example.com/b\ngo 1.22\n-- b/c/c_test.go --\npackage c\nimport \"testing\"\nfunc TestB(t *testing.T) {}\n",
			tests: "example.com/a.TestA passed\nexample.com/b/c.TestB passed",
		},
		{
			name: "make", outcome: gates.Failed, argv: []string{"sh", "-c", "echo testing; go test ./... || true"},
			files: module + old + test("", "func TestA(t *testing.T) { t.Fail() }\n"), tests: "example.com/calc.TestA failed assertion\n" + oldPassed,
		},
		{
			name: "something else", outcome: gates.Failed, argv: []string{"sh", "-c", "echo no; exit 1"}, files: module, diagnostics: "exception",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			req := project(t, "go", c.files)
			req.Env = []string{"GOPROXY=off"}
			if c.argv != nil {
				req.Commands.Test = c.argv
			}
			c.check(t, measure(t, req))
		})
	}
}
