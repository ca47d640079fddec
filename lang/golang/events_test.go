package golang

import (
	"bytes"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

func FuzzEvents(f *testing.F) {
	f.Add([]byte(`{"Action":"run","Package":"p","Test":"T"}` + "\n" + `{"Action":"output","Package":"p","Test":"T","Output":"panic: x\n"}` + "\n" + `{"Action":"fail","Package":"p"}`))
	f.Add([]byte(`{"Action":"build-output","ImportPath":"p","Output":"a.go:1:2: undefined: X\n"}`))
	f.Fuzz(func(_ *testing.T, text []byte) {
		seen := newTranscript()
		_ = output.EachLine(bytes.NewReader(text), func(line []byte) { seen.read(line) })
		seen.blame()
		for _, p := range seen.packages {
			p.running()
			for _, name := range p.names {
				p.result("p", name, nil)
			}
		}
	})
}

func FuzzBuildLog(f *testing.F) {
	f.Add("# x\n./a_test.go:3:4: undefined: calc.Add\n\thave (a)\nvet: b.go:1: x\nno position\n", false)
	f.Fuzz(func(_ *testing.T, text string, setup bool) {
		b := &buildLog{places: &testrun.Places{Dir: "/w", Language: Language()}, modules: moduleDirs{"m": "."}, setup: setup}
		for line := range strings.Lines(text) {
			b.read(line)
		}
		b.findings()
	})
}

// A table that is a map has its rows in another order each time, and says the same of them.
func TestResult_subtests(t *testing.T) {
	t.Parallel()
	said := map[string]bool{}
	for _, order := range [][]string{{"b", "a"}, {"a", "b"}} {
		seen := newTranscript()
		seen.read([]byte(`{"Action":"run","Package":"p","Test":"T"}`))
		for _, name := range order {
			seen.read([]byte(`{"Action":"run","Package":"p","Test":"T/` + name + `"}`))
			seen.read([]byte(`{"Action":"fail","Package":"p","Test":"T/` + name + `"}`))
		}
		seen.read([]byte(`{"Action":"fail","Package":"p","Test":"T"}`))
		said[seen.packages["p"].result("p", "T", nil).Message] = true
	}
	if len(said) != 1 || !said["subtests failed: a, b"] {
		t.Errorf("%v", said)
	}
}

// TestBuildOutputBefore124 reads a build that failed as older go commands
// report it: its output is plain text.
func TestBuildOutputBefore124(t *testing.T) {
	t.Parallel()
	req := projecttest.Project(t, Language(), module+"-- calc_test.go --\npackage calc\n")
	s := projecttest.Session(t, req)
	r := &testRun{session: s, places: s.Places(), modules: findModules(req.Dir), seen: newTranscript(), ours: true}
	for _, line := range []string{
		`{"Action":"start","Package":"example.com/calc"}`,
		`{"Action":"output","Package":"example.com/calc","Output":"FAIL\texample.com/calc [build failed]\n"}`,
		`{"Action":"fail","Package":"example.com/calc","Elapsed":0}`,
	} {
		r.seen.read([]byte(line))
	}
	r.end.Exit, r.end.Output = 1, "# example.com/calc [example.com/calc.test]\n./calc_test.go:3:4: undefined: Add\nFAIL\texample.com/calc [build failed]\n"
	r.add("example.com/calc", r.seen.packages["example.com/calc"])
	v := r.settle()
	if v.Outcome != gates.Broken {
		t.Errorf("outcome %s", v.Outcome)
	}
	projecttest.Want(t, "diagnostics", projecttest.Diagnostics(v.Diagnostics), "calc_test.go missing-symbol Add")
}
