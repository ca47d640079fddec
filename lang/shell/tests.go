package shell

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// readBatsTest runs bats with a formatter of ours, which keeps what bats tells
// its formatters. Any other command is judged by its exit code.
func readBatsTest(ctx context.Context, b *testrun.Session, argv []string) (testrun.Verdict, error) {
	if !slices.ContainsFunc(argv, isBats) {
		return b.ByExitCode(ctx, "test", argv)
	}
	formatter, stream := filepath.Join(b.Reports, "bats-formatter"), filepath.Join(b.Reports, "bats.txt")
	script := "#!/bin/sh\nexec tee '" + strings.ReplaceAll(stream, "'", `'\''`) + "'\n"
	if err := os.WriteFile(formatter, []byte(script), 0o700); err != nil { //nolint:gosec // it must be executable
		return testrun.Verdict{}, fmt.Errorf("install the formatter: %w", err)
	}
	end, err := b.Run(ctx, testrun.Job{Name: "test", Argv: append(slices.Clone(argv), "-F", formatter)})
	if err != nil {
		return testrun.Verdict{}, err
	}
	r := newBats(b.Places())
	r.wanted = batsFiles(b.Request.Dir, argv)
	if err := output.WithFile(stream, func(f *os.File) error { return r.read(f) }); err != nil {
		return testrun.Verdict{}, fmt.Errorf("read the test report: %w", err)
	}
	return r.report(end), nil
}

// bats reads what bats tells a formatter: the plan, each file, and of each test
// that it begins and how it ended.
type bats struct {
	places  *testrun.Places
	journal *journal.Journal
	planned int // -1 where it did not say
	judged  int
	file    string
	ids     map[string]string // of the tests that began, by number
	names   map[string]string // their names
	lines   map[string]map[string]int
	last    *journal.Event // what the lines that follow explain
	hidden  []batsHidden   // commands that a test ran and that are not there
	wanted  []string       // the files that it should run
	heard   map[string]bool
}

// batsHidden is a command that was missing where the test itself looked at the
// status: bats warns of it at the end.
type batsHidden struct {
	command, file string
	line          int
}

func newBats(p *testrun.Places) *bats {
	return &bats{
		places: p, journal: journal.New(), planned: -1,
		ids: make(map[string]string), names: make(map[string]string), lines: make(map[string]map[string]int),
		heard: make(map[string]bool),
	}
}

// read takes in the stream.
func (r *bats) read(src io.Reader) error {
	plan := regexp.MustCompile(`^1\.\.(\d+)$`)
	point := regexp.MustCompile(`^(begin|ok|not ok) (\d+) ?(.*)$`)
	err := output.EachLine(src, func(raw []byte) {
		line := string(raw)
		if text, ok := strings.CutPrefix(line, "#"); ok {
			r.explain(strings.TrimPrefix(text, " "))
			return
		}
		if name, ok := strings.CutPrefix(line, "suite "); ok {
			r.settle()
			r.file = filepath.Clean(name)
			r.heard[r.places.Relative(r.file)] = true
		} else if hit := plan.FindStringSubmatch(line); hit != nil && r.planned < 0 {
			r.planned = output.Atoi(hit[1])
		} else if hit := point.FindStringSubmatch(line); hit != nil {
			r.settle()
			r.point(hit[1], hit[2], hit[3])
		}
	})
	r.settle()
	return err
}

// point takes in the beginning or the end of a test.
func (r *bats) point(kind, number, text string) {
	if kind == "begin" {
		id := r.places.Relative(r.file) + "::" + text
		for n := 2; r.journal.Tests[id] != nil; n++ {
			id = r.places.Relative(r.file) + "::" + text + "#" + strconv.Itoa(n)
		}
		r.ids[number], r.names[number] = id, text
		r.journal.Take(journal.Event{Event: "plan", ID: id, File: r.file, Line: r.line(text)})
		r.journal.Take(journal.Event{Event: "start", ID: id})
		return
	}
	id, began := r.ids[number]
	switch {
	case !began && kind == "ok":
		r.journal.Faults = append(r.journal.Faults, "a verdict on a test that did not begin: "+text)
	case !began:
		r.last = &journal.Event{Event: "broken", ID: text, File: r.file, Message: text}
	case kind == "not ok":
		r.last = &journal.Event{Event: "verdict", ID: id, File: r.file, Status: "failed"}
	case strings.HasPrefix(strings.TrimPrefix(text, r.names[number]), " # skip"):
		r.last = &journal.Event{Event: "verdict", ID: id, Status: "skipped"}
	default:
		r.last = &journal.Event{Event: "verdict", ID: id, Status: "passed"}
	}
	if began {
		r.judged++
	}
}

// explain takes in a line that belongs to the verdict before it.
func (r *bats) explain(text string) {
	if r.last != nil && !strings.HasPrefix(text, "bats warning: ") && len(r.last.Text) < output.MessageLimit {
		r.last.Text += text + "\n"
	}
}

// settle notes a verdict with all that explains it.
func (r *bats) settle() {
	if r.last != nil {
		r.journal.Take(*r.last)
	}
	r.last = nil
}

// line is where the file under way declares a test; 0 where it is not found.
func (r *bats) line(name string) int {
	file := r.places.Relative(r.file)
	if r.lines[file] == nil {
		r.lines[file] = batsLines(r.places.Text(file))
	}
	return r.lines[file][name]
}

// batsLines are the lines on which tests are declared, by their names.
func batsLines(content string) map[string]int {
	out, line := make(map[string]int), 0
	for text := range strings.Lines(content) {
		line++
		if strings.Contains(text, "@test") {
			for _, name := range batsDeclared(text) {
				out[name] = line
			}
		}
	}
	return out
}

// report is what a run showed.
func (r *bats) report(end testrun.Ended) testrun.Verdict {
	if hit := regexp.MustCompile(`Duplicate test name\(s\) in file "([^"]+)"`).FindStringSubmatch(end.Output); hit != nil && r.planned < 0 {
		r.planned = 0
		r.journal.Take(journal.Event{Event: "broken", File: hit[1], Text: output.LastLine(end.Output)})
	}
	if r.planned < 0 {
		r.gathering(end.Output)
	}
	if r.planned < 0 {
		return journal.NoReport(end, "not found")
	}
	warned := regexp.MustCompile("(?s)BW01: `run`'s command `([^'`]*?)[`'] exited with code 127.*?in test file ([^\n]+), line (\\d+)\\)")
	for _, hit := range warned.FindAllStringSubmatch(end.Output, -1) {
		r.hidden = append(r.hidden, batsHidden{hit[1], r.places.Relative(hit[2]), output.Atoi(hit[3])})
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
	run := journal.Run{Journal: r.journal, End: end, Places: r.places, Explain: raised{r.places, r.hidden}.explain}
	if r.planned == 0 && strings.Contains(end.Output, "ERROR: Found no tests") {
		run.NoTestsExit = 1 // since bats 1.12
	}
	return run.Verdict()
}

// gathering reads what was wrong with a file that could not be loaded: since
// bats 1.11 that ends the run before any formatter.
func (r *bats) gathering(output string) {
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
