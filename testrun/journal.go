package testrun

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// journalTest is what was written of one test.
type journalTest struct {
	file    string
	line    int
	started bool
	status  string // empty where there is no verdict
	why     journalEvent
}

// journal is all that the processes of one run wrote.
type journal struct {
	tests  map[string]*journalTest
	order  []string
	broken []journalEvent // what could not be loaded
	fatal  []journalEvent // what ended a process
	faults []string       // what the reporters themselves say against the run
	busy   []string       // what runs, where a runner tells its verdicts later
	expect []string       // files of which a runner says that a process ran them
	came   []string       // files of which a process says so itself
	open   int            // processes that began and did not end
	ended  int
	cut    bool // the runner says that it stopped at a failure, as it was told to
	exit   int  // the worst that a process said of itself
}

func newJournal() *journal { return &journal{tests: make(map[string]*journalTest)} }

// readJournals reads what the processes of a run wrote. ok is false where none
// of them wrote anything.
func readJournals(dir string) (j *journal, ok bool, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, false, fmt.Errorf("find the test reports: %w", err)
	}
	j = newJournal()
	for _, name := range files {
		if err := withFile(name, func(f *os.File) error { return j.readFrom(f) }); err != nil {
			return nil, false, fmt.Errorf("read the test report: %w", err)
		}
	}
	return j, len(files) > 0, nil
}

// readFrom reads what one process wrote.
func (j *journal) readFrom(src io.Reader) error {
	var p process
	err := eachLine(src, func(line []byte) { p.read(j, line) })
	if p.ended {
		j.ended++
	} else {
		j.open++
	}
	return err
}

// process is one process while its journal is read.
type process struct{ begun, ended bool }

// read takes in a line. What comes before the beginning or after the end is a
// fault: something else wrote it.
func (p *process) read(j *journal, line []byte) {
	e, ok := parseJournal(line)
	if !ok {
		j.faults = append(j.faults, "a report holds a line that no reporter wrote")
		return
	}
	if p.ended || p.begun == (e.Event == "begin") {
		j.faults = append(j.faults, "a report goes on after its end")
		return
	}
	switch e.Event {
	case "begin":
		p.begun = true
	case "end":
		p.ended = true
		j.exit = max(j.exit, e.Exit)
	default:
		j.take(e)
	}
}

// take notes an event. A failure is never taken back.
func (j *journal) take(e journalEvent) {
	switch e.Event {
	case "broken":
		j.broken = append(j.broken, e)
	case "patched":
		j.faults = append(j.faults, "the project replaced a part of the runner: "+e.ID)
	case "gap":
		j.faults = append(j.faults, e.Message)
	case "fatal":
		j.fatal = append(j.fatal, e)
	case "stopped":
		j.cut = true
	case "busy":
		j.busy = append(j.busy, e.ID)
	case "idle":
		if at := slices.Index(j.busy, e.ID); at >= 0 {
			j.busy = slices.Delete(j.busy, at, at+1)
		}
	case "expect":
		j.expect = append(j.expect, e.ID)
	case "came":
		j.came = append(j.came, e.ID)
	default:
		j.note(e)
	}
}

// note takes in an event of one test.
func (j *journal) note(e journalEvent) {
	t := j.tests[e.ID]
	if t == nil {
		t = &journalTest{}
		j.tests[e.ID] = t
		j.order = append(j.order, e.ID)
	}
	switch e.Event {
	case "plan":
		t.file, t.line = e.File, e.Line
	case "start":
		t.started = true
	case "verdict":
		t.judge(e)
	}
}

// judge takes in a verdict. A failure gives way to nothing but one of which more
// is known: where processes share the tests out, the one that gathers what they
// say has its text alone.
func (t *journalTest) judge(e journalEvent) {
	known := slices.Contains([]string{"passed", "failed", "skipped"}, e.Status)
	better := e.Status == "failed" && len(e.Kinds) > 0 && len(t.why.Kinds) == 0
	if known && t.started && (t.status != "failed" || better) {
		t.status, t.why = e.Status, e
	}
}

// unfinished lists the tests that were started and have no verdict; waiting those
// that were only planned.
func (j *journal) unfinished() (running, waiting []string) {
	cut := j.cut && j.any("failed")
	for _, id := range j.order {
		switch t := j.tests[id]; {
		case t.status != "":
		case t.started:
			running = append(running, id)
		case !cut:
			waiting = append(waiting, id)
		}
	}
	return running, waiting
}

// any reports whether a test has this verdict.
func (j *journal) any(status string) bool {
	return slices.ContainsFunc(j.order, func(id string) bool { return j.tests[id].status == status })
}

// gaps says what is missing from the proof that the run finished.
func (j *journal) gaps(end ended) []gates.Diagnostic {
	class := gates.ClassCrash
	if end.TimedOut {
		class = gates.ClassTimeout
	}
	var out []gates.Diagnostic
	gap := func(format string, args ...any) {
		out = append(out, gates.Diagnostic{Class: class, Message: fmt.Sprintf(format, args...)})
	}
	running, waiting := j.unfinished()
	if j.open > 0 {
		running = append(running, j.busy...)
	}
	if len(running) > 0 {
		gap("it ended while this was running: %s", some(running))
	}
	explained := j.any("failed") || len(j.broken) > 0
	if len(waiting) > 0 && (j.open > 0 || end.Exit == 0 || !explained) {
		gap("%d of %d tests have no verdict: %s", len(waiting), len(j.order), some(waiting))
	}
	if j.open > 0 {
		gap("the runner ended without its end marker")
	}
	slices.Sort(j.faults)
	for _, fault := range slices.Compact(j.faults) {
		gap("%s", fault)
	}
	for _, file := range j.expect {
		if !slices.Contains(j.came, file) {
			gap("the process of %s left no report", file)
		}
	}
	return out
}

// unheard judges a run of a command that may start one of our runners, where no
// reporter wrote anything. The exit code decides, unless the words of a runner
// are there and its report is not.
func unheard(end ended, marks ...string) report {
	if end.Exit == 0 && slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(end.Output, mark) }) {
		return report{outcome: gates.Crashed, detail: gates.DetailTest, diagnostics: []gates.Diagnostic{{
			Class: gates.ClassCrash, Message: "a runner ran, but its report is gone",
		}}}
	}
	return end.verdict()
}

// silent words why a run of a known runner that wrote nothing failed.
func silent(end ended, missing ...string) report {
	r := end.verdict()
	if r.outcome == gates.Timeout || r.outcome == gates.Crashed {
		r.detail = gates.DetailTest
		return r
	}
	d := gates.Diagnostic{Class: gates.ClassInfra, Message: fmt.Sprintf("exit code %d, and the runner reported nothing: %s", end.Exit, firstError(end.Output))}
	if slices.ContainsFunc(missing, func(words string) bool { return strings.Contains(end.Output, words) }) {
		d.Class = gates.ClassRunnerMissing
	}
	return report{outcome: gates.Crashed, detail: gates.DetailTest, diagnostics: []gates.Diagnostic{d}}
}

// begun reports whether a test was started.
func (j *journal) begun() bool {
	return slices.ContainsFunc(j.order, func(id string) bool { return j.tests[id].started })
}

// refused notes that the project could not be loaded, which ended the run. The
// tests without a verdict are forgotten then, and nothing else is missing.
func (j *journal) refused(why journalEvent) {
	j.take(why)
	j.open, j.ended = 0, 1
	j.order = slices.DeleteFunc(j.order, func(id string) bool { return j.tests[id].status == "" })
}
