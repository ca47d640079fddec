package journal

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// Test is what was written of one test.
type Test struct {
	File    string // as the runner names it
	Line    int
	Status  string // "passed", "failed" or "skipped"; empty where there is no verdict
	Why     Event  // the verdict
	started bool
}

// Journal is all that the processes of one run wrote.
type Journal struct {
	Tests  map[string]*Test // by id
	Order  []string         // the ids, in the order in which they came up
	Broken []Event          // what could not be loaded
	Fatal  []Event          // what ended a process
	Faults []string         // why the run cannot be believed
	Open   int              // how many processes began and did not end
	Ended  int              // how many did
	Exit   int              // the worst exit code that a process said it would end with

	busy   []string // what runs, where a runner tells its verdicts later
	expect []string // files of which a runner says that a process ran them
	came   []string // files of which a process says so itself
	cut    bool     // the runner says that it stopped at a failure, as it was told to
}

// New returns an empty journal, for [Journal.Take] to fill.
func New() *Journal { return &Journal{Tests: make(map[string]*Test)} }

// Read reads what the processes of a run wrote to a folder. ok is false where none
// of them wrote anything.
func Read(dir string) (j *Journal, ok bool, err error) {
	files := wholefile.Matching(dir, "*.jsonl")
	j = New()
	for _, name := range files {
		if err := output.WithFile(name, func(f *os.File) error { return j.add(f) }); err != nil {
			return nil, false, fmt.Errorf("read the test report: %w", err)
		}
	}
	return j, len(files) > 0, nil
}

// add reads what one process wrote. What comes before its beginning or after its end is a
// fault: something else wrote it.
func (j *Journal) add(src io.Reader) error {
	begun, ended := false, false
	err := output.EachLine(src, func(line []byte) {
		var e Event
		switch broken := json.Unmarshal(line, &e) != nil || e.Event == ""; {
		case broken:
			j.Faults = append(j.Faults, "a report holds a line that no reporter wrote")
		case ended || begun == (e.Event == "begin"):
			j.Faults = append(j.Faults, "a report goes on after its end")
		case e.Event == "begin":
			begun = true
		case e.Event == "end":
			ended = true
			j.Ended++
			j.Exit = max(j.Exit, e.Exit)
		default:
			j.Take(e)
		}
	})
	if !ended {
		j.Open++
	}
	return err
}

// Take notes an event. A failure stays one, whatever is said of that test later.
func (j *Journal) Take(e Event) {
	switch e.Event {
	case "broken":
		j.Broken = append(j.Broken, e)
	case "patched":
		j.Faults = append(j.Faults, "the project replaced a part of the runner: "+e.ID)
	case "gap":
		j.Faults = append(j.Faults, e.Message)
	case "fatal":
		j.Fatal = append(j.Fatal, e)
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
func (j *Journal) note(e Event) {
	t := j.Tests[e.ID]
	if t == nil {
		t = &Test{}
		j.Tests[e.ID] = t
		j.Order = append(j.Order, e.ID)
	}
	switch e.Event {
	case "plan":
		t.File, t.Line = e.File, e.Line
	case "start":
		t.started = true
	case "verdict":
		t.judge(e)
	}
}

// judge takes in a verdict. Nothing replaces a failure but the same failure with
// more detail: where several processes share the tests, the one that gathers their
// results knows the text alone.
func (t *Test) judge(e Event) {
	known := slices.Contains([]string{"passed", "failed", "skipped"}, e.Status)
	better := e.Status == "failed" && len(e.Kinds) > 0 && len(t.Why.Kinds) == 0
	if known && t.started && (t.Status != "failed" || better) {
		t.Status, t.Why = e.Status, e
	}
}

// Unfinished lists the tests that were started and have no verdict; waiting those
// that were only planned.
func (j *Journal) Unfinished() (running, waiting []string) {
	cut := j.cut && j.has("failed")
	for _, id := range j.Order {
		switch t := j.Tests[id]; {
		case t.Status != "":
		case t.started:
			running = append(running, id)
		case !cut:
			waiting = append(waiting, id)
		}
	}
	return running, waiting
}

// has reports whether any test has this status.
func (j *Journal) has(status string) bool {
	return slices.ContainsFunc(j.Order, func(id string) bool { return j.Tests[id].Status == status })
}

// Gaps says what is missing from the proof that the run finished.
func (j *Journal) Gaps(end testrun.Ended) []gates.Diagnostic {
	var out []gates.Diagnostic
	gap := func(format string, args ...any) { out = append(out, end.Gap(format, args...)) }
	running, waiting := j.Unfinished()
	if j.Open > 0 {
		running = append(running, j.busy...)
	}
	if len(running) > 0 {
		gap("it ended while this was running: %s", output.FirstFew(running))
	}
	explained := j.has("failed") || len(j.Broken) > 0
	if len(waiting) > 0 && (j.Open > 0 || end.Exit == 0 || !explained) {
		gap("%d of %d tests have no verdict: %s", len(waiting), len(j.Order), output.FirstFew(waiting))
	}
	if j.Open > 0 {
		gap("the runner ended without its end marker")
	}
	if j.Exit != 0 && end.Exit == 0 && !explained {
		gap("the runner says that it failed, but the exit code is 0")
	}
	slices.Sort(j.Faults)
	for _, fault := range slices.Compact(j.Faults) {
		gap("%s", fault)
	}
	for _, file := range j.expect {
		if !slices.Contains(j.came, file) {
			gap("the process of %s left no report", file)
		}
	}
	return out
}

// Begun reports whether any test was started.
func (j *Journal) Begun() bool {
	return slices.ContainsFunc(j.Order, func(id string) bool { return j.Tests[id].started })
}

// LoadFailed notes that the project could not be loaded, which ended the run: the
// tests that have no verdict are forgotten, and no process is missing its end.
func (j *Journal) LoadFailed(why Event) {
	j.Take(why)
	j.Open, j.Ended = 0, 1
	j.Order = slices.DeleteFunc(j.Order, func(id string) bool { return j.Tests[id].Status == "" })
}

// Event is one line of a journal. Which fields it has depends on its kind.
type Event struct {
	Event   string   `json:"event"` // the kind: "plan", "start", "verdict", …
	ID      string   `json:"id"`    // of the test, mostly
	File    string   `json:"file"`  // as the runner names it
	Line    int      `json:"line"`
	Status  string   `json:"status"`  // of a verdict: passed, failed, skipped
	Kinds   []string `json:"kinds"`   // the classes of what was raised, the nearest first
	Message string   `json:"message"` // its own words
	Text    string   `json:"text"`    // what a person should see
	Name    string   `json:"name"`    // the module that an import misses
	Frames  []Frame  `json:"frames"`  // where it was raised, the innermost last
	Exit    int      `json:"exit"`    // of an end: the exit code that the runner chose
}

// Is reports whether what was raised is of one of some classes.
func (e Event) Is(kinds ...string) bool {
	return slices.ContainsFunc(kinds, func(kind string) bool { return slices.Contains(e.Kinds, kind) })
}

// Frame is a place in a source file, as the runner names it.
type Frame struct {
	File string `json:"file"`
	Line int    `json:"line"`
}
