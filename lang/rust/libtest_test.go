package rust

import (
	"bytes"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
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
	for _, part := range []struct {
		text string
		take func([]byte)
	}{{list, r.list}, {log, r.log}, {events, r.event}} {
		if err := output.EachLine(strings.NewReader(part.text), part.take); err != nil {
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
		"whole":               {libtestList, libtestEvents, "ok a\n", 0, "", "passed"},
		"exit code disagrees": {libtestList, libtestEvents, "ok a\n", 101, "0 tests failed", "passed"},
		"no list":             {"", libtestEvents, "ok a\n", 0, "did not list", ""},
		"list cut":            {strings.SplitAfter(libtestList, "\n")[1], libtestEvents, "ok a\n", 0, "did not list", "passed"},
		"not in the log":      {libtestList, libtestEvents, "", 0, "running: a", ""},
		"never started":       {libtestList, line(2) + line(3), "ok a\n", 0, "no verdict", ""},
		"no verdict":          {libtestList, line(1), "", 0, "running: a", ""},
		"no end":              {libtestList, line(1) + line(2), "ok a\n", 0, "end marker", "passed"},
		"nothing":             {libtestList, "", "", 0, "no verdict", ""},
		"failed, then ok":     {libtestList, line(1) + failed + line(2) + line(3), "ok a\n", 0, "counts 1 passed", "failed"},
		"ok, then failed":     {libtestList, line(1) + line(2) + failed + line(3), "ok a\n", 0, "counts 1 passed", "failed"},
		"unknown test":        {libtestList, strings.ReplaceAll(libtestEvents, `"a"`, `"b"`), "ok b\n", 0, "no verdict", ""},
		"text before it":      {libtestList, line(0) + line(1) + "printed" + line(2) + "{ more" + line(3), "ok a\n", 0, "", "passed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := readLibtest(t, c.list, c.events, c.log)
			if why := r.incomplete(c.exit); (why == "") != (c.why == "") || !strings.Contains(why, c.why) {
				t.Errorf("incomplete: %q, want %q", why, c.why)
			}
			if a := r.Tests["a"]; c.list == "" && a != nil || c.list != "" && a.Status != c.verdict {
				t.Errorf("verdict %+v, want %q", a, c.verdict)
			}
		})
	}
}

// TestLongLines reads an event whose test printed more than a reader keeps.
func TestLongLines(t *testing.T) {
	t.Parallel()
	for _, filler := range []string{"x", `\n`, `\\`, `\"`, `\u00e9`, "é", `\\\n`} {
		for shift := range 7 {
			text := strings.Repeat("y", shift) + strings.Repeat(filler, (3<<20)/len(filler))
			event := `{ "type": "test", "name": "a", "event": "failed", "stdout": "` + text + `the end" }` + "\n"
			r := readLibtest(t, libtestList, strings.SplitAfter(libtestEvents, "\n")[1]+event, "")
			if v := r.Tests["a"].Why; v.Status != "failed" || !strings.HasSuffix(v.Text, "end") || len(v.Text) > output.MessageLimit {
				t.Errorf("%q+%d: %s, %d bytes", filler, shift, v.Status, len(v.Text))
			}
		}
	}
}

func FuzzLibtest(f *testing.F) {
	f.Add(libtestList, libtestEvents, "ok a\n", 0)
	f.Add(libtestList, "{ \"type\": \"test\"\n\x00", "failed a", 101)
	f.Fuzz(func(t *testing.T, list, events, log string, exit int) {
		r := readLibtest(t, list, events, log)
		if r.incomplete(exit) == "" && (exit == 0) != !bytes.Contains([]byte(events), []byte("failed")) && exit == 0 {
			for _, a := range r.Tests {
				if a.Status == "failed" {
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
		c := newCargoBuild(&testrun.Places{Dir: "/w", Language: Language()})
		c.read(line)
		c.read(line)
		c.broken()
	})
}

func FuzzDoctests(f *testing.F) {
	f.Add("running 1 test\ntest src/lib.rs - f (line 2) ... FAILED\n\nfailures:\n\n---- src/lib.rs - f (line 2) stdout ----\nerror[E0425]: x\n\ntest result: FAILED.\n")
	f.Fuzz(func(t *testing.T, text string) {
		d := &doctests{}
		for line := range strings.Lines(text) {
			d.read(strings.TrimSuffix(line, "\n"))
		}
		if len(d.facts()) != len(d.tests) {
			t.Fatal("a test was lost")
		}
	})
}
