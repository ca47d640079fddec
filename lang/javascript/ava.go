package javascript

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// readAVA runs AVA and reads what it says on standard output. AVA takes no reporter,
// but what tests print goes to standard error, so its TAP is its own.
func readAVA(ctx context.Context, s *testrun.Session, job testrun.Job, x explainer) (testrun.Verdict, error) {
	a := &ava{journal: journal.New(), places: x.places}
	for name := range x.places.Files("node_modules", ".git") {
		if x.places.Language.Kind(name) == gates.KindTest {
			a.files = append(a.files, name)
		}
	}
	job.Line = func(line []byte) string {
		a.read(string(line))
		return string(line) + "\n"
	}
	end, err := s.Run(ctx, job)
	if err != nil {
		return testrun.Verdict{}, err
	}
	a.settle()
	if !a.began {
		return journal.NoReport(end, "could not determine executable to run", "canceled due to missing packages"), nil
	}
	a.journal.Ended, a.journal.Exit = 1, end.Exit
	if a.passed != a.counted {
		a.journal.Ended, a.journal.Open = 0, 1
	}
	run := journal.Run{Journal: a.journal, End: end, Places: x.places, Explain: x.explain}
	if strings.Contains(end.Output, "t find any files to test") {
		run.NoTestsExit = 1
	}
	return run.Verdict(), nil
}

// ava reads the TAP of AVA.
type ava struct {
	journal *journal.Journal
	places  *testrun.Places
	files   []string
	began   bool
	passed  int            // tests that it said have passed
	counted int            // how many it counts at the end; -1 … it has not come
	last    *journal.Event // the failure that the lines to come explain
	inner   bool           // they are about an error that the test raised
}

var (
	avaPointPattern  = lazyregexp.New(`^(ok|not ok) \d+ - (.*?)( # (?:SKIP|TODO))?$`)
	avaRaisedPattern = lazyregexp.New(`^\w*Error(?: \[\w+\])?: |^(?:Error|Uncaught exception|Unhandled rejection)\b`)
	avaQuotedPattern = lazyregexp.New(`^(?:'(.*)'|"(.*)")$`)
	avaExitedPattern = lazyregexp.New(`^(.*) exited (?:with|due to) |^Exited because |^Timed out`)
	avaEmptyPattern  = lazyregexp.New(`^No tests found in (.*?)(?:, make sure .*)?$`)
	avaKindPattern   = lazyregexp.New(`^\s+(\w+)(?: \[\w+\])? \{`)
	avaValuePattern  = lazyregexp.New(`^\s+(name|message|at): (.+)$`)
	avaPlacePattern  = lazyregexp.New(`((?:file://)?/[^()]*?):(\d+):\d+\)?'?$`)

	// What AVA does not show of the path of a test file.
	avaEndingPattern = lazyregexp.New(`(?:\.test|\.spec)?\.[^./]*$`)
	avaShownPattern  = lazyregexp.New(`(^|/)(?:__tests__/)*(?:test-([^/]*)$)?`)
)

// read takes in a line.
func (a *ava) read(line string) {
	switch hit := avaPointPattern().FindStringSubmatch(line); {
	case line == "TAP version 13":
		a.began, a.counted = true, -1
	case hit != nil:
		a.settle()
		status := map[string]gates.Status{"ok": gates.StatusPassed, "not ok": gates.StatusFailed}[hit[1]]
		if hit[3] != "" {
			status = gates.StatusSkipped
		}
		a.point(status, hit[2])
	case strings.HasPrefix(line, "# pass "):
		a.settle()
		a.counted = output.Atoi(strings.TrimPrefix(line, "# pass "))
	case strings.HasPrefix(line, "  ") && a.last != nil:
		a.explain(line)
	}
}

// point takes in a verdict, or word of a file that did not come to its end.
func (a *ava) point(status gates.Status, title string) {
	file, name := a.place(title)
	if status == gates.StatusFailed && a.lost(title, name) {
		return
	}
	id := strings.TrimPrefix(file+"::"+name, "::")
	a.journal.Take(journal.Event{Event: "plan", ID: id, File: file})
	a.journal.Take(journal.Event{Event: "start", ID: id})
	e := journal.Event{Event: "verdict", ID: id, File: file, Status: string(status)}
	if status == gates.StatusFailed {
		a.last = &e // what follows explains it
		return
	}
	if status == gates.StatusPassed {
		a.passed++
	}
	a.journal.Take(e)
}

// lost takes in word of what is no test: an error that no test caught, and a file
// that did not come to its end.
func (a *ava) lost(title, name string) bool {
	exited, empty, at := avaExitedPattern().FindStringSubmatch(title), avaEmptyPattern().FindStringSubmatch(title), avaPlacePattern().FindStringSubmatch(title+":0")
	broken := a.journal.Broken
	switch {
	case exited != nil && exited[1] != "" && len(broken) > 0:
		broken[len(broken)-1].File = cmp.Or(broken[len(broken)-1].File, exited[1])
	case exited != nil:
		a.journal.Faults = append(a.journal.Faults, title)
	case empty != nil:
		a.journal.Take(journal.Event{Event: "broken", ID: title, File: empty[1], Text: title})
	case at != nil:
		a.last = &journal.Event{Event: "broken", ID: title, Frames: []journal.Frame{{File: filePath(at[1]), Line: output.Atoi(at[2])}}}
	case avaRaisedPattern.MatchString(name):
		a.last = &journal.Event{Event: "broken", ID: title, Message: name, Text: name + "\n"}
	default:
		return false
	}
	return true
}

// explain takes in a line of what AVA says of a failure. An error that the test
// raised stands within one of AVA's own.
func (a *ava) explain(line string) {
	e := a.last
	if text := strings.TrimSpace(line); text != "---" && text != "..." && len(e.Text) < output.MessageLimit {
		e.Text += strings.TrimPrefix(line, "  ") + "\n"
	}
	if strings.Contains(line, "'Error thrown in test:'") || strings.Contains(line, "'Rejected promise returned by test. Reason:'") {
		a.inner, e.Kinds = true, nil
		return
	}
	if hit := avaKindPattern().FindStringSubmatch(line); hit != nil && a.inner && len(e.Kinds) == 0 {
		e.Kinds = []string{hit[1]}
		return
	}
	hit := avaValuePattern().FindStringSubmatch(line)
	switch {
	case hit == nil:
	case hit[1] == "at" && len(e.Frames) == 0:
		if at := avaPlacePattern().FindStringSubmatch(hit[2]); at != nil {
			e.Frames = []journal.Frame{{File: filePath(at[1]), Line: output.Atoi(at[2])}}
		}
	case hit[1] == "name" && !a.inner:
		e.Kinds = []string{hit[2]}
	case hit[1] == "message" && (e.Message == "" || a.inner && e.Event == "verdict"):
		e.Message = avaQuotedPattern().ReplaceAllString(strings.TrimSuffix(hit[2], ","), "$1$2")
		a.inner = false
	}
}

// settle notes a failure with all that explains it.
func (a *ava) settle() {
	if a.last == nil {
		return
	}
	if a.last.Message == "Test timeout exceeded" {
		a.last.Kinds = []string{"testTimeoutFailure"}
	}
	if a.last.Event == "broken" && avaRaisedPattern.MatchString(a.last.ID) {
		a.last.Kinds = nil // the text names the error as node does
	}
	a.journal.Take(*a.last)
	a.last, a.inner = nil, false
}

// place finds the file of a test. AVA puts the part of its path before the title
// that the files do not share; of a single file it says nothing.
func (a *ava) place(title string) (file, name string) {
	length := 0
	for _, f := range a.files {
		shown := avaShownPattern().ReplaceAllString(avaEndingPattern().ReplaceAllString(f, ""), "$1$2")
		parts := strings.Split(shown, "/")
		for i := range parts {
			prefix := strings.Join(parts[i:], " › ") + " › "
			if len(prefix) > length && strings.HasPrefix(title, prefix) {
				file, length = f, len(prefix)
			}
		}
	}
	if file != "" {
		return file, title[length:]
	}
	at := slices.IndexFunc(a.files, func(f string) bool { return slices.Contains(declared(a.places.Text(f)), title) })
	switch {
	case at >= 0:
		file = a.files[at]
	case len(a.files) == 1:
		file = a.files[0]
	}
	return file, title
}
