package rust

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// libtestEvent is one line of libtest's JSON, of a listing or of a run.
type libtestEvent struct {
	Type    string `json:"type"`  // suite, test
	Event   string `json:"event"` // discovered, started, ok, failed, ignored, completed
	Name    string `json:"name"`
	Stdout  string `json:"stdout"`
	Message string `json:"message"`
	File    string `json:"source_path"`
	Line    int    `json:"start_line"`
	Passed  int    `json:"passed"`
	Failed  int    `json:"failed"`
	Ignored int    `json:"ignored"`
	Total   int    `json:"total"`
}

// parseLibtest reads a line. A test that prints without a newline stands before
// the event on the same line; within an event every quotation mark of a string
// is escaped, so that the last beginning of an object is the event's.
func parseLibtest(line []byte) (e libtestEvent, ok bool) {
	if at := bytes.LastIndex(line, []byte(`{ "type": "`)); at >= 0 {
		line = line[at:]
	}
	if len(line) == 0 || line[0] != '{' || json.Unmarshal(line, &e) != nil {
		return libtestEvent{}, false
	}
	return e, e.Type == "suite" || e.Type == "test"
}

// libtestVerdict is what a run said of one test.
type libtestVerdict struct {
	started bool
	event   string // ok, failed, ignored; empty where there is none
	text    string // what it printed and what libtest said of it
}

// libtestRun is all that one test binary reported.
type libtestRun struct {
	planned  []libtestEvent // from the listing
	listed   bool           // the listing is whole
	verdicts map[string]*libtestVerdict
	logged   map[string]bool // tests that the log file says are ok
	end      *libtestEvent   // the end of the suite
}

func newLibtestRun() *libtestRun {
	return &libtestRun{verdicts: make(map[string]*libtestVerdict), logged: make(map[string]bool)}
}

// readList takes in the listing, which is made before any test runs.
func (r *libtestRun) readList(src io.Reader) error {
	return output.EachLine(src, func(line []byte) {
		e, ok := parseLibtest(line)
		switch {
		case !ok:
			r.readPlainList(string(line))
		case e.Type == "suite" && e.Event == "completed":
			r.listed = e.Total == len(r.planned)
		case e.Type == "test" && e.Event == "discovered":
			r.planned = append(r.planned, e)
			r.verdicts[e.Name] = &libtestVerdict{}
		}
	})
}

// plainEndPattern is the end of a listing that is no JSON.
var plainEndPattern = lazyregexp.New(`^(\d+) tests?, \d+ benchmarks?$`)

// readPlainList takes in a line of a listing in words: before Rust 1.70 there was no
// other.
func (r *libtestRun) readPlainList(line string) {
	if hit := plainEndPattern.FindStringSubmatch(line); hit != nil {
		r.listed = output.Atoi(hit[1]) == len(r.planned)
	} else if name, ok := strings.CutSuffix(line, ": test"); ok {
		r.planned = append(r.planned, libtestEvent{Name: name})
		r.verdicts[name] = &libtestVerdict{}
	}
}

// readEvents takes in the run. Only tests that were listed exist.
func (r *libtestRun) readEvents(src io.Reader) error {
	return output.EachLine(src, func(line []byte) {
		e, ok := parseLibtest(line)
		if !ok {
			return
		}
		if e.Type == "suite" {
			if e.Event == "ok" || e.Event == "failed" {
				r.end = &e
			}
			return
		}
		if v := r.verdicts[e.Name]; v != nil {
			v.take(e)
		}
	})
}

// take notes an event of a test. A failure is never taken back.
func (v *libtestVerdict) take(e libtestEvent) {
	switch e.Event {
	case "started":
		v.started = true
	case "ok", "failed", "ignored":
		if v.event == "failed" {
			return
		}
		v.event = e.Event
		v.text = output.EndOf(strings.TrimSpace(e.Stdout+"\n"+e.Message), output.MessageLimit)
	}
}

// readLog takes in the log file, which no print of a test reaches.
func (r *libtestRun) readLog(src io.Reader) error {
	return output.EachLine(src, func(line []byte) {
		if name, ok := bytes.CutPrefix(line, []byte("ok ")); ok {
			r.logged[string(name)] = true
		}
	})
}

// believed is the verdict on a listed test that the channels agree on, or ""
// where they do not.
func (r *libtestRun) believed(name string) string {
	v := r.verdicts[name]
	if v == nil || !v.started || (v.event == "ok" && !r.logged[name]) {
		return ""
	}
	return v.event
}

// incomplete says what is missing from the proof that the run finished; ""
// where nothing is.
func (r *libtestRun) incomplete(exit int) string {
	var passed, failed, ignored int
	var open []string
	for _, t := range r.planned {
		switch r.believed(t.Name) {
		case "ok":
			passed++
		case "failed":
			failed++
		case "ignored":
			ignored++
		default:
			if r.verdicts[t.Name].started {
				open = append(open, t.Name)
			}
		}
	}
	switch {
	case !r.listed:
		return "it did not list its tests"
	case len(open) > 0:
		return "it ended while this was running: " + output.FirstFew(open)
	case passed+failed+ignored != len(r.planned):
		return fmt.Sprintf("%d of %d tests have no verdict", len(r.planned)-passed-failed-ignored, len(r.planned))
	case r.end == nil:
		return "it ended without its end marker"
	case r.end.Passed != passed || r.end.Failed != failed || r.end.Ignored != ignored:
		return fmt.Sprintf("it counts %d passed, %d failed, %d ignored, but reported %d, %d, %d",
			r.end.Passed, r.end.Failed, r.end.Ignored, passed, failed, ignored)
	case (exit == 0) != (failed == 0):
		return fmt.Sprintf("%d tests failed, but the exit code is %d", failed, exit)
	}
	return ""
}
