//go:build unix

package testrun

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gates"
)

// The reports of 5,000 tests, in every format. Wall time says little on a busy
// machine, so that each says what it took of the processor, too.

func BenchmarkJournal5000(b *testing.B) {
	text := jBegin
	for i := range 5000 {
		for _, e := range []string{jPlan, jStart, jPass} {
			text += strings.Replace(e, `"a"`, fmt.Sprintf(`"tests/test_a.py::test_%d"`, i), 1)
		}
	}
	text += jEnd
	timed(b, func() string {
		if got := judged(b, 0, text); got.outcome != gates.Passed || len(got.tests) != 5000 {
			return string(got.outcome)
		}
		return ""
	})
}

func BenchmarkLibtest5000(b *testing.B) {
	var list, events, log strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&list, `{ "type": "test", "event": "discovered", "name": "m::t%d", "source_path": "src/lib.rs", "start_line": %d }`+"\n", i, i)
		fmt.Fprintf(&events, `{ "type": "test", "event": "started", "name": "m::t%d" }`+"\n"+`{ "type": "test", "name": "m::t%d", "event": "ok" }`+"\n", i, i)
		fmt.Fprintf(&log, "ok m::t%d\n", i)
	}
	list.WriteString(`{ "type": "suite", "event": "completed", "total": 5000 }` + "\n")
	events.WriteString(`{ "type": "suite", "event": "ok", "passed": 5000 }` + "\n")
	timed(b, func() string { return readLibtest(b, list.String(), events.String(), log.String()).incomplete(0) })
}

func BenchmarkGo5000(b *testing.B) {
	var text strings.Builder
	for i := range 5000 {
		for _, e := range []string{`"run"`, `"output","Output":"=== RUN   T%[1]d\n"`, `"output","Output":"--- PASS: T%[1]d (0.00s)\n"`, `"pass"`} {
			fmt.Fprintf(&text, `{"Action":`+e+`,"Package":"p","Test":"T%[1]d"}`+"\n", i)
		}
	}
	timed(b, func() string {
		g := newGoRun()
		if err := eachLine(strings.NewReader(text.String()), func(line []byte) { g.read(line) }); err != nil {
			return err.Error()
		}
		return strings.Join(g.packages["p"].running(), " ")
	})
}

func BenchmarkJUnit5000(b *testing.B) {
	var text strings.Builder
	text.WriteString(`<testsuite tests="5000">`)
	for i := range 5000 {
		fmt.Fprintf(&text, `<testcase classname="a.B" name="t%d" time="0.1"/>`, i)
	}
	text.WriteString("</testsuite>")
	timed(b, func() string {
		j := junitReport{places: &places{dir: "/nowhere", lang: Generic()}}
		j.read(strings.NewReader(text.String()))
		return complain(len(j.tests), len(j.gaps))
	})
}

func BenchmarkTAP5000(b *testing.B) {
	var text strings.Builder
	text.WriteString("1..5000\n")
	for i := range 5000 {
		fmt.Fprintf(&text, "ok %d - the test number %d\n", i+1, i)
	}
	timed(b, func() string {
		p := newTAP("")
		for line := range strings.Lines(text.String()) {
			p.read(line)
		}
		p.finish()
		return complain(len(p.tests), len(p.gaps))
	})
}

func BenchmarkDoctests5000(b *testing.B) {
	var text strings.Builder
	text.WriteString("running 5000 tests\n")
	for i := range 5000 {
		fmt.Fprintf(&text, "test src/lib.rs - m::f%d (line %d) ... ok\n", i, i)
	}
	text.WriteString("\ntest result: ok. 5000 passed\n")
	timed(b, func() string {
		d := newDoctests()
		for line := range strings.Lines(text.String()) {
			d.read(strings.TrimSpace(line))
		}
		return complain(len(d.facts()), d.open)
	})
}

// complain says what is wrong with a report of 5,000 tests.
func complain(tests, gaps int) string {
	if tests == 5000 && gaps == 0 {
		return ""
	}
	return fmt.Sprintf("%d tests, %d gaps", tests, gaps)
}

// timed runs a reader, which returns what is wrong.
func timed(b *testing.B, read func() string) {
	b.Helper()
	b.ReportAllocs()
	before, n := processor(b), 0
	for b.Loop() {
		if why := read(); why != "" {
			b.Fatal(why)
		}
		n++
	}
	b.ReportMetric(float64((processor(b)-before).Microseconds())/1000/float64(n), "cpu-ms/op")
}

// processor is how much of the processor this process has had.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
