package shell

import (
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

var (
	planPattern      = lazyregexp.New(`^1\.\.(\d+)$`)
	pointPattern     = lazyregexp.New(`^(begin|ok|not ok) (\d+) ?(.*)$`)
	duplicatePattern = lazyregexp.New(`Duplicate test name\(s\) in file "([^"]+)"`)
	warningPattern   = lazyregexp.New("(?s)BW01: `run`'s command `([^'`]*?)[`'] exited with code 127.*?in test file ([^\n]+), line (\\d+)\\)")
)

// kindTimeout marks a test that bats stopped at its own time limit.
const kindTimeout = "timeout"

// stream reads what bats tells a formatter: the plan, each file, and for each test
// that it begins and how it ends.
type stream struct {
	places    *testrun.Places
	journal   *journal.Journal
	planned   int // -1 where it did not say
	judged    int
	file      string
	ids       map[string]string // of the tests that began, by number
	names     map[string]string // their names
	lines     map[string]int    // on which the file under way declares tests
	last      *journal.Event    // what the lines that follow explain
	notFound  []notFound        // commands that a test ran and that are not there
	wanted    []string          // the files that it should run
	mentioned map[string]bool   // the files that it told the formatter of
}

// notFound is a command that was missing where the test itself looked at the
// status: bats warns of it at the end.
type notFound struct {
	command, file string
	line          int
}

func newStream(p *testrun.Places) *stream {
	return &stream{
		places: p, journal: journal.New(), planned: -1,
		ids: make(map[string]string), names: make(map[string]string),
		mentioned: make(map[string]bool),
	}
}

// read takes in the stream.
func (r *stream) read(src io.Reader) error {
	err := output.EachLine(src, func(raw []byte) {
		line := string(raw)
		if text, ok := strings.CutPrefix(line, "#"); ok {
			r.explain(strings.TrimPrefix(text, " "))
			return
		}
		if name, ok := strings.CutPrefix(line, "suite "); ok {
			r.settle()
			r.file = filepath.Clean(name)
			file := r.places.Relative(r.file)
			r.mentioned[file], r.lines = true, testLines(r.places.Text(file))
		} else if hit := planPattern().FindStringSubmatch(line); hit != nil && r.planned < 0 {
			r.planned = output.Atoi(hit[1])
		} else if hit := pointPattern().FindStringSubmatch(line); hit != nil {
			r.settle()
			r.point(hit[1], hit[2], hit[3])
		}
	})
	r.settle()
	return err
}

// point takes in the beginning or the end of a test.
func (r *stream) point(kind, number, text string) {
	if kind == "begin" {
		name := r.places.Relative(r.file) + "::" + text
		id := name
		for n := 2; r.journal.Tests[id] != nil; n++ {
			id = name + "#" + strconv.Itoa(n)
		}
		r.ids[number], r.names[number] = id, text
		r.journal.Take(journal.Event{Event: "plan", ID: id, File: r.file, Line: r.lines[text]})
		r.journal.Take(journal.Event{Event: "start", ID: id})
		return
	}
	id, began := r.ids[number]
	switch {
	case !began && kind == "ok":
		r.journal.Faults = append(r.journal.Faults, "a verdict on a test that did not begin: "+text)
	case !began:
		r.last = &journal.Event{Event: "broken", ID: text, File: r.file, Message: text}
	default:
		r.judged++
		r.last = &journal.Event{Event: "verdict", ID: id, File: r.file, Status: "passed"}
		switch directive := strings.TrimPrefix(text, r.names[number]); {
		case kind == "not ok" && strings.Contains(directive, " # timeout after "):
			r.last.Status, r.last.Kinds = "failed", []string{kindTimeout}
		case kind == "not ok":
			r.last.Status = "failed"
		case strings.HasPrefix(directive, " # skip"):
			r.last.Status = "skipped"
		}
	}
}

// explain takes in a line that belongs to the verdict before it.
func (r *stream) explain(text string) {
	if r.last != nil && !strings.HasPrefix(text, "bats warning: ") && len(r.last.Text) < output.MessageLimit {
		r.last.Text += text + "\n"
	}
}

// settle notes a verdict with all that explains it.
func (r *stream) settle() {
	if r.last != nil {
		r.journal.Take(*r.last)
		r.last = nil
	}
}

// testLines are the lines on which tests are declared, by their names.
func testLines(content string) map[string]int {
	out, line := make(map[string]int), 0
	for text := range strings.Lines(content) {
		line++
		if strings.Contains(text, "@test") {
			for _, name := range page().Declared(text) {
				out[name] = line
			}
		}
	}
	return out
}

// verdict is what a run showed.
func (r *stream) verdict(end testrun.Ended) testrun.Verdict {
	if hit := duplicatePattern().FindStringSubmatch(end.Output); hit != nil && r.planned < 0 {
		r.planned = 0
		r.journal.Take(journal.Event{Event: "broken", File: hit[1], Text: output.LastLine(end.Output)})
	}
	if r.planned < 0 {
		r.gathering(end.Output)
	}
	if r.planned < 0 {
		return journal.NoReport(end, "not found")
	}
	for _, hit := range warningPattern().FindAllStringSubmatch(end.Output, -1) {
		r.notFound = append(r.notFound, notFound{hit[1], r.places.Relative(hit[2]), output.Atoi(hit[3])})
	}
	if end.Exit == 0 {
		for _, file := range r.skippedFiles() {
			r.journal.Take(journal.Event{Event: "broken", File: file, Text: "bats ran no test of it: it ends while it is loaded"})
		}
	}
	r.journal.Ended, r.journal.Exit = 1, end.Exit
	if started := len(r.ids); r.judged < started || started < r.planned && len(r.journal.Broken) == 0 {
		r.journal.Ended, r.journal.Open = 0, 1
	}
	run := journal.Run{Journal: r.journal, End: end, Places: r.places, Explain: explainer{r.places, r.notFound}.explain}
	if r.planned == 0 && strings.Contains(end.Output, "ERROR: Found no tests") {
		run.NoTestsExit = 1 // since bats 1.12
	}
	return run.Verdict()
}

// gathering reads what was wrong with a file that could not be loaded: since
// bats 1.11 that ends the run before any formatter.
func (r *stream) gathering(output string) {
	_, rest, ok := strings.Cut("\n"+output, "\nnot ok 1 bats-gather-tests\n")
	if !ok {
		return
	}
	e := journal.Event{Event: "broken"}
	for line := range strings.Lines(rest) {
		text, ok := strings.CutPrefix(line, "#")
		if !ok {
			break
		}
		e.Text += strings.TrimPrefix(text, " ")
	}
	r.planned = 0
	r.journal.Take(e)
}
