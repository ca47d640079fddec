package testrun

import (
	"bytes"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

const libtestList = `{ "type": "suite", "event": "discovery" }
{ "type": "test", "event": "discovered", "name": "a", "ignore": false, "ignore_message": "", "source_path": "src/lib.rs", "start_line": 16, "start_col": 16, "end_line": 16, "end_col": 19 }
{ "type": "suite", "event": "completed", "tests": 1, "benchmarks": 0, "total": 1, "ignored": 0 }
`

const libtestEvents = `{ "type": "suite", "event": "started", "test_count": 1 }
{ "type": "test", "event": "started", "name": "a" }
{ "type": "test", "name": "a", "event": "ok" }
{ "type": "suite", "event": "ok", "passed": 1, "failed": 0, "ignored": 0, "measured": 0, "filtered_out": 0, "exec_time": 0.1 }
`

// readLibtest reads the three channels of a run.
func readLibtest(tb testing.TB, list, events, log string) *libtestRun {
	tb.Helper()
	r := newLibtestRun()
	for _, err := range []error{
		r.readList(strings.NewReader(list)), r.readEvents(strings.NewReader(events)), r.readLog(strings.NewReader(log)),
	} {
		if err != nil {
			tb.Fatal(err)
		}
	}
	return r
}

func TestLibtestProof(t *testing.T) {
	t.Parallel()
	line := func(n int) string { return strings.SplitAfter(libtestEvents, "\n")[n] }
	failed := `{ "type": "test", "name": "a", "event": "failed", "stdout": "x" }` + "\n"
	for name, c := range map[string]struct {
		list, events, log string
		exit              int
		why, verdict      string
	}{
		"whole":               {libtestList, libtestEvents, "ok a\n", 0, "", "ok"},
		"exit code disagrees": {libtestList, libtestEvents, "ok a\n", 101, "0 tests failed", "ok"},
		"no list":             {"", libtestEvents, "ok a\n", 0, "did not list", ""},
		"list cut":            {strings.SplitAfter(libtestList, "\n")[1], libtestEvents, "ok a\n", 0, "did not list", "ok"},
		"not in the log":      {libtestList, libtestEvents, "", 0, "running: a", ""},
		"never started":       {libtestList, line(2) + line(3), "ok a\n", 0, "no verdict", ""},
		"no verdict":          {libtestList, line(1), "", 0, "running: a", ""},
		"no end":              {libtestList, line(1) + line(2), "ok a\n", 0, "end marker", "ok"},
		"nothing":             {libtestList, "", "", 0, "no verdict", ""},
		"failed, then ok":     {libtestList, line(1) + failed + line(2) + line(3), "ok a\n", 0, "counts 1 passed", "failed"},
		"ok, then failed":     {libtestList, line(1) + line(2) + failed + line(3), "ok a\n", 0, "counts 1 passed", "failed"},
		"unknown test":        {libtestList, strings.ReplaceAll(libtestEvents, `"a"`, `"b"`), "ok b\n", 0, "no verdict", ""},
		"text before it":      {libtestList, line(0) + line(1) + "printed" + line(2) + "{ more" + line(3), "ok a\n", 0, "", "ok"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := readLibtest(t, c.list, c.events, c.log)
			if why := r.incomplete(c.exit); (why == "") != (c.why == "") || !strings.Contains(why, c.why) {
				t.Errorf("incomplete: %q, want %q", why, c.why)
			}
			if got := r.believed("a"); got != c.verdict {
				t.Errorf("verdict %q, want %q", got, c.verdict)
			}
		})
	}
}

// TestLongLines reads an event whose test printed more than a reader keeps.
func TestLongLines(t *testing.T) {
	t.Parallel()
	for _, filler := range []string{"x", `\n`, `\\`, `\"`, `\u00e9`, "é", `\\\n`} {
		for shift := range 7 {
			text := strings.Repeat("y", shift) + strings.Repeat(filler, 2*(lineHead+lineTail)/len(filler))
			event := `{ "type": "test", "name": "a", "event": "failed", "stdout": "` + text + `the end" }` + "\n"
			r := readLibtest(t, libtestList, strings.SplitAfter(libtestEvents, "\n")[1]+event, "")
			if v := r.verdicts["a"]; v.event != "failed" || !strings.HasSuffix(v.text, "end") || len(v.text) > messageLimit {
				t.Errorf("%q+%d: %s, %d bytes", filler, shift, v.event, len(v.text))
			}
		}
	}
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, outputHead, outputHead + outputTail - 64, outputHead + outputTail, 10 * outputTail} {
		e := newExcerpt()
		whole := strings.Repeat("0123456789", 1+size/10)[:size]
		for i := 0; i < len(whole); i += 7 {
			_, _ = e.Write([]byte(whole[i:min(i+7, len(whole))]))
		}
		text, cut := e.text()
		if !cut && text != whole || cut && (len(text) > 16<<10 || !strings.HasPrefix(whole, text[:100]) || !strings.HasSuffix(whole, text[len(text)-100:])) {
			t.Errorf("%d bytes became %d, cut %v", size, len(text), cut)
		}
	}
	e := newExcerpt()
	_, _ = e.Write([]byte("a\xffb\x00"))
	if text, _ := e.text(); text != "a?b\x00" {
		t.Errorf("%q", text)
	}
}

func TestUniqueIDs(t *testing.T) {
	t.Parallel()
	got := unique([]gates.Test{{ID: "b", File: "2"}, {ID: "a"}, {ID: "b", File: "1"}})
	if len(got) != 3 || got[0].ID != "a" || got[1].ID != "b" || got[1].File != "1" || got[2].ID != "b#2" {
		t.Errorf("%+v", got)
	}
}

func FuzzLibtest(f *testing.F) {
	f.Add(libtestList, libtestEvents, "ok a\n", 0)
	f.Add(libtestList, "{ \"type\": \"test\"\n\x00", "failed a", 101)
	f.Fuzz(func(t *testing.T, list, events, log string, exit int) {
		r := readLibtest(t, list, events, log)
		if r.incomplete(exit) == "" && (exit == 0) != !bytes.Contains([]byte(events), []byte("failed")) && exit == 0 {
			for _, p := range r.planned {
				if r.believed(p.Name) == "failed" {
					t.Fatal("a failure, no gap, and exit 0")
				}
			}
		}
	})
}

func FuzzCargoMessage(f *testing.F) {
	f.Add([]byte(`{"reason":"compiler-message","manifest_path":"/w/Cargo.toml","message":{"level":"error","message":"unresolved import ` + "`a::b`" + `","code":{"code":"E0432"},"spans":[{"file_name":"src/lib.rs","line_start":1,"is_primary":true,"label":"no ` + "`b`" + ` in the root","expansion":{"span":{"file_name":"x"}}}]}}`))
	f.Add([]byte(`{"reason":"compiler-artifact","executable":"/x","profile":{"test":true}}`))
	f.Add([]byte(`{"reason":"build-finished","success":true}`))
	f.Fuzz(func(_ *testing.T, line []byte) {
		c := newCargoBuild(newPlaces("/w", rustLanguage()))
		c.read(line)
		c.read(line)
		c.broken()
	})
}

func FuzzDoctests(f *testing.F) {
	f.Add("running 1 test\ntest src/lib.rs - f (line 2) ... FAILED\n\nfailures:\n\n---- src/lib.rs - f (line 2) stdout ----\nerror[E0425]: x\n\ntest result: FAILED.\n")
	f.Fuzz(func(t *testing.T, text string) {
		d := newDoctests()
		for line := range strings.Lines(text) {
			d.read(strings.TrimSuffix(line, "\n"))
		}
		if len(d.facts()) != len(d.tests) {
			t.Fatal("a test was lost")
		}
	})
}

func FuzzGoEvents(f *testing.F) {
	f.Add([]byte(`{"Action":"run","Package":"p","Test":"T"}` + "\n" + `{"Action":"output","Package":"p","Test":"T","Output":"panic: x\n"}` + "\n" + `{"Action":"fail","Package":"p"}`))
	f.Add([]byte(`{"Action":"build-output","ImportPath":"p","Output":"a.go:1:2: undefined: X\n"}`))
	f.Fuzz(func(_ *testing.T, text []byte) {
		g := newGoRun()
		_ = eachLine(bytes.NewReader(text), func(line []byte) { g.read(line) })
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
		b := newGoBuild(newPlaces("/w", goLanguage()), map[string]string{"m": "."})
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
	req := project(t, "go", module+"-- calc_test.go --\npackage calc\n")
	b, err := newBench(req)
	if err != nil {
		t.Fatal(err)
	}
	g := &goResult{b: b, places: b.places(), modules: goModules(req.Dir), run: newGoRun(), ours: true}
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
	if g.report.outcome != gates.Broken {
		t.Errorf("outcome %s", g.report.outcome)
	}
	want(t, "diagnostics", diagnostics(g.report.diagnostics), "calc_test.go missing-symbol Add")
}
