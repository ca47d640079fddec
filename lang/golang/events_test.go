package golang

import (
	"bytes"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/corpustest"
	"github.com/git-tdd/git-tdd/testrun/output"
)

func FuzzGoEvents(f *testing.F) {
	f.Add([]byte(`{"Action":"run","Package":"p","Test":"T"}` + "\n" + `{"Action":"output","Package":"p","Test":"T","Output":"panic: x\n"}` + "\n" + `{"Action":"fail","Package":"p"}`))
	f.Add([]byte(`{"Action":"build-output","ImportPath":"p","Output":"a.go:1:2: undefined: X\n"}`))
	f.Fuzz(func(_ *testing.T, text []byte) {
		g := newGoRun()
		_ = output.EachLine(bytes.NewReader(text), func(line []byte) { g.read(line) })
		g.blame()
		for _, p := range g.packages {
			p.running()
			for _, name := range p.names {
				p.fact("p", name, nil)
			}
		}
	})
}

func FuzzGoBuild(f *testing.F) {
	f.Add("# x\n./a_test.go:3:4: undefined: calc.Add\n\thave (a)\nvet: b.go:1: x\nno position\n", false)
	f.Fuzz(func(_ *testing.T, text string, setup bool) {
		b := newGoBuild(&testrun.Places{Dir: "/w", Language: Language()}, map[string]string{"m": "."})
		b.setup = setup
		for line := range strings.Lines(text) {
			b.read(line)
		}
		b.findings()
	})
}

// TestGoBuildOutputBefore124 reads a build that failed as older go commands
// report it: its output is plain text.
func TestGoBuildOutputBefore124(t *testing.T) {
	t.Parallel()
	req := corpustest.Project(t, Language(), module+"-- calc_test.go --\npackage calc\n")
	b := corpustest.Session(t, req)
	g := &result{b: b, places: b.Places(), modules: goModules(req.Dir), run: newGoRun(), ours: true}
	for _, line := range []string{
		`{"Action":"start","Package":"example.com/calc"}`,
		`{"Action":"output","Package":"example.com/calc","Output":"FAIL\texample.com/calc [build failed]\n"}`,
		`{"Action":"fail","Package":"example.com/calc","Elapsed":0}`,
	} {
		g.run.read([]byte(line))
	}
	g.end.Exit, g.end.Output = 1, "# example.com/calc [example.com/calc.test]\n./calc_test.go:3:4: undefined: Add\nFAIL\texample.com/calc [build failed]\n"
	g.add("example.com/calc", g.run.packages["example.com/calc"])
	g.settle()
	if g.report.Outcome != gates.Broken {
		t.Errorf("outcome %s", g.report.Outcome)
	}
	corpustest.Want(t, "diagnostics", corpustest.Diagnostics(g.report.Diagnostics), "calc_test.go missing-symbol Add")
}
