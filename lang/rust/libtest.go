package rust

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
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
	ok = bytes.HasPrefix(line, []byte("{")) && json.Unmarshal(line, &e) == nil
	return e, ok && (e.Type == "suite" || e.Type == "test")
}

// libtestRun is all that one test binary reported. Only tests that were listed exist, and one has
// passed only if the log file, which no print of a test reaches, says so too.
type libtestRun struct {
	*journal.Journal

	listed bool            // the listing is whole
	logged map[string]bool // the tests that the log file says are ok; it is read before the events
	end    *libtestEvent   // the end of the suite
}

func newLibtestRun() *libtestRun {
	return &libtestRun{Journal: journal.New(), logged: make(map[string]bool)}
}

// plainEndPattern is the end of a listing in words: before Rust 1.70 there was no other.
var plainEndPattern = lazyregexp.New(`^(\d+) tests?, \d+ benchmarks?$`)

// list takes in a line of the listing, which is made before any test runs.
func (r *libtestRun) list(line []byte) {
	e, ok := parseLibtest(line)
	name, plain := bytes.CutSuffix(line, []byte(": test"))
	hit := plainEndPattern().FindSubmatch(line)
	switch {
	case ok && e.Type == "suite" && e.Event == "completed":
		r.listed = e.Total == len(r.Order)
	case ok && e.Type == "test" && e.Event == "discovered":
		r.Take(journal.Event{Event: "plan", ID: e.Name, File: e.File, Line: e.Line})
	case ok:
	case hit != nil:
		r.listed = output.Atoi(string(hit[1])) == len(r.Order)
	case plain:
		r.Take(journal.Event{Event: "plan", ID: string(name)})
	}
}

// hintPattern matches what the first panic of a process says of all.
var hintPattern = lazyregexp.New("(?m)^note: run with `RUST_BACKTRACE.*\n?")

// event takes in a line of the run.
func (r *libtestRun) event(line []byte) {
	e, ok := parseLibtest(line)
	status := map[string]string{"ok": "passed", "failed": "failed", "ignored": "skipped"}[e.Event]
	switch {
	case !ok:
	case e.Type == "suite" && (e.Event == "ok" || e.Event == "failed"):
		r.end = &e
	case e.Type == "suite" || r.Tests[e.Name] == nil:
	case e.Event == "started":
		r.Take(journal.Event{Event: "start", ID: e.Name})
	case e.Event != "ok" || r.logged[e.Name]:
		text := strings.TrimSpace(hintPattern().ReplaceAllString(e.Stdout, "") + "\n" + e.Message)
		r.Take(journal.Event{Event: "verdict", ID: e.Name, Status: status, Text: output.EndOf(text, output.MessageLimit)})
	}
}

// log takes in a line of the log file.
func (r *libtestRun) log(line []byte) {
	if name, ok := bytes.CutPrefix(line, []byte("ok ")); ok {
		r.logged[string(name)] = true
	}
}

// incomplete says what is missing from the proof that the run finished; "" if nothing is.
func (r *libtestRun) incomplete(exit int) string {
	count := map[string]int{}
	for _, t := range r.Tests {
		count[t.Status]++
	}
	open, _ := r.Unfinished()
	passed, failed, ignored := count["passed"], count["failed"], count["skipped"]
	switch {
	case !r.listed:
		return "it did not list its tests"
	case len(open) > 0:
		return "it ended while this was running: " + output.FirstFew(open)
	case count[""] > 0:
		return fmt.Sprintf("%d of %d tests have no verdict", count[""], len(r.Order))
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

// stdPanicPattern matches the beginnings of panics of the standard library itself.
var stdPanicPattern = lazyregexp.New("^(?:called `(?:Option|Result)::|index out of bounds|attempt to |slice index |range (?:start|end) index |byte index |start byte index |end byte index |" +
	"already borrowed|already mutably borrowed|RefCell already |internal error: entered unreachable code|capacity overflow|cannot access a Thread Local|" +
	"removal index |swap_remove index |insertion index |mid > len|invalid utf-8)")

// panicMessage is a panic that a test printed.
type panicMessage struct {
	thread, file string
	line         int
	text         string // its message
}

// findPanic picks what decides a test: the last panic of its own thread, or the first of any.
func findPanic(output, thread string) (best panicMessage, ok bool) {
	for rest := "\n" + output; ; {
		_, after, more := strings.Cut(rest, "\nthread '")
		if !more {
			return best, ok
		}
		rest = after
		if p, is := readPanic(after); is && (!ok || p.thread == thread) {
			best, ok = p, true
		}
	}
}

// quotedPanicPattern is how a panic was printed before Rust 1.73.
var quotedPanicPattern = lazyregexp.New(`^(?s:([^\n]*?)' panicked at '(.*?)', ([^\n']+):(\d+):\d+)(?:\n|$)`)

// panicPattern is how a panic is printed since then.
var panicPattern = lazyregexp.New(`^([^\n]*?)' [^\n]*?panicked at ([^\n]*):(\d+):\d+:(?:\n|$)`)

// readPanic reads a panic from behind "thread '" on.
func readPanic(text string) (p panicMessage, ok bool) {
	if hit := quotedPanicPattern().FindStringSubmatch(text); hit != nil {
		return panicMessage{thread: hit[1], text: hit[2], file: hit[3], line: output.Atoi(hit[4])}, true
	}
	hit := panicPattern().FindStringSubmatch(text)
	if hit == nil {
		return p, false
	}
	message, _, _ := strings.Cut(text[len(hit[0]):], "\nnote: run with `RUST_BACKTRACE")
	return panicMessage{thread: hit[1], text: strings.TrimSpace(message), file: hit[2], line: output.Atoi(hit[3])}, true
}

// expects reports whether the first line of a panic is about an expectation, as
// those of assertion crates are. Some of them panic where no path leads to them: a
// function that is handed on as a value panics in the standard library.
func (p panicMessage) expects() bool {
	first, _, _ := strings.Cut(strings.ToLower(p.text), "\n")
	return strings.Contains(first, "assertion") || output.HasAnyPrefix(first, "snapshot", "test failed:") ||
		commandPattern.MatchString(first)
}

// commandPattern matches what assert_cmd and assert_fs say.
var commandPattern = lazyregexp.New(`^(?:unexpected (?:failure\.|success|completion|(?:return code|stdout|stderr|file), failed )|command interrupted$)`)

// failureClass says why a test failed, from what it printed. name is the test's
// name within its binary; at says in whose code a panic at that place is.
func failureClass(printed, name string, at func(file string, line int) testrun.Place) gates.Class {
	if strings.Contains(printed, "test did not panic as expected") || strings.Contains(printed, "panic did not contain expected string") {
		return gates.ClassAssertion
	}
	p, ok := findPanic(printed, name)
	if !ok {
		return gates.ClassException // "Error: …", or nothing at all
	}
	where := at(p.file, p.line)
	switch {
	case output.HasAnyPrefix(p.text, "not implemented", "not yet implemented"):
		return gates.ClassUnimplemented
	case where == testrun.InSource, stdPanicPattern.MatchString(p.text):
		return gates.ClassException
	case where == testrun.InTest, p.expects():
		return gates.ClassAssertion
	}
	return gates.ClassException
}
