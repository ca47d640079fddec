package testrun

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// readTAPTest runs the test command and reads its TAP, from standard output or
// from the files that the project names.
func readTAPTest(ctx context.Context, s *Session, argv []string) (Verdict, error) {
	if s.Request.Commands.Report.Path != "" {
		return readTAPFiles(ctx, s, argv)
	}
	t := newTAP("")
	end, err := s.Run(ctx, Job{Name: "test", Argv: argv, Line: func(line []byte) string {
		t.read(string(line))
		return string(line) + "\n"
	}})
	if err != nil {
		return Verdict{}, err
	}
	t.finish()
	return Reported(end, t.tests, t.gaps), nil
}

func readTAPFiles(ctx context.Context, s *Session, argv []string) (Verdict, error) {
	return s.readReports(ctx, argv, func(f *os.File, end Ended) ([]gates.Test, []gates.Diagnostic, error) {
		base, _ := doublestar.SplitPattern(s.Request.Commands.Report.Path) // below it, prove keeps the paths of scripts
		t := newTAP(strings.TrimPrefix(s.Places().Relative(f.Name()), base+"/"))
		err := output.EachLine(f, func(line []byte) { t.read(string(line)) })
		t.finish()
		t.settle(diedScripts(end.Output)[t.name], s.Places())
		return t.tests, t.gaps, err
	})
}

// tap reads one stream of the Test Anything Protocol. Sub-tests are indented
// and count through the test that sums them up.
type tap struct {
	name  string // of the file; empty for standard output
	tests []gates.Test
	gaps  []gates.Diagnostic

	unnamed int // how many results had no name
	seen    map[int]bool
	planned int // -1 where no plan was seen

	incomplete bool // nothing is wrong but that tests of the plan are missing
}

var (
	pointPattern     = lazyregexp.New(`^(not )?ok\b(?:[ \t]+(\d+))?(?:[ \t]+-)?[ \t]*(.*)$`)
	planPattern      = lazyregexp.New(`^1\.\.(\d+)[ \t]*(?:#.*)?$`)
	directivePattern = lazyregexp.New(`(?i)(?:^|[^\\])#\s*((?:skip|todo)\b.*)$`)
)

func newTAP(name string) *tap {
	return &tap{name: name, seen: make(map[int]bool), planned: -1}
}

// read takes in a line.
func (t *tap) read(line string) {
	line = strings.TrimRight(line, "\r\n")
	if hit := planPattern().FindStringSubmatch(line); hit != nil {
		if t.planned >= 0 {
			t.gap("two plans")
		}
		t.planned, _ = strconv.Atoi(hit[1]) // too many are none
		return
	}
	if why, ok := strings.CutPrefix(line, "Bail out!"); ok {
		t.gap("it gave up: %s", strings.TrimSpace(why))
		return
	}
	if hit := pointPattern().FindStringSubmatch(line); hit != nil {
		t.add(hit[1] != "", hit[2], hit[3])
		return
	}
	// Comments and indented lines explain the failure before them.
	if n := len(t.tests); n > 0 && t.tests[n-1].Status == gates.StatusFailed && output.HasAnyPrefix(line, "#", " ", "\t") {
		last := &t.tests[n-1]
		if len(last.Message) < output.MessageLimit {
			last.Message = output.EndOf(strings.TrimSpace(last.Message+"\n"+strings.TrimPrefix(line, "#")), output.MessageLimit)
		}
	}
}

// add takes in a test point.
func (t *tap) add(failed bool, number, rest string) {
	n, err := strconv.Atoi(number)
	if err != nil {
		n = len(t.tests) + 1
	}
	if t.seen[n] {
		t.gap("two verdicts on test %d", n)
	}
	t.seen[n] = true
	title, directive := rest, ""
	if hit := directivePattern().FindStringSubmatchIndex(rest); hit != nil {
		title, directive = strings.TrimRight(rest[:hit[2]], "# \t"), strings.ToLower(rest[hit[2]:hit[2]+4])
	}
	test := gates.Test{ID: strings.TrimSpace(title), Status: gates.StatusPassed}
	if test.ID == "" { // by its place among those without a name, which tests with one do not move
		t.unnamed++
		test.ID = fmt.Sprintf("test %d", t.unnamed)
	}
	switch {
	case directive != "":
		test.Status = gates.StatusSkipped
	case failed:
		test.Status, test.Class = gates.StatusFailed, gates.ClassAssertion
	}
	t.tests = append(t.tests, test)
}

func (t *tap) gap(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if t.name != "" {
		text = t.name + ": " + text
	}
	t.gaps = append(t.gaps, gates.Diagnostic{Class: gates.ClassCrash, Message: text})
}

var (
	// exitedPattern is what prove says of a script that ended by itself.
	exitedPattern = lazyregexp.New(`(?m)^(\S+) +\(Wstat: (\d+)\b.* Tests: \d+ Failed: \d+\)$`)
	diedPattern   = lazyregexp.New(`(?m)^(.* at (\S+) line \d+\.)$`)
)

// diedScripts lists the scripts that ended with an error of their own, by prove's
// summary, each with what it said last. A signal is none of their own.
func diedScripts(printed string) map[string]string {
	out := make(map[string]string)
	for _, hit := range exitedPattern().FindAllStringSubmatch(printed, -1) {
		if status := output.Atoi(hit[2]); status == 0 || status&0x7f != 0 {
			continue
		}
		out[hit[1]] = "it ended before its tests were over"
		for _, said := range diedPattern().FindAllStringSubmatch(printed, -1) {
			if said[2] == hit[1] && !strings.HasPrefix(said[1], "#") {
				out[hit[1]] = said[1]
				break
			}
		}
	}
	return out
}

// settle makes the script a part of each id. One that died before its tests were over
// is a failing test of its own name, where tests failed and nothing else is missing.
func (t *tap) settle(died string, p *Places) {
	if died != "" && t.incomplete {
		t.gaps = nil
		class := gates.ClassException
		if output.SaysUnimplemented(died) {
			class = gates.ClassUnimplemented
		}
		t.tests = append(t.tests, gates.Test{Status: gates.StatusFailed, Class: class, Message: died})
	}
	file := p.Relative(t.name)
	for i := range t.tests {
		t.tests[i].ID = strings.TrimSuffix(t.name+"::"+t.tests[i].ID, "::")
		t.tests[i].File = file
	}
}

// finish compares with the plan.
func (t *tap) finish() {
	t.incomplete = len(t.gaps) == 0 && t.planned != len(t.tests)
	switch {
	case t.planned < 0:
		t.gap("no plan (1..N), so nothing tells whether it finished")
	case t.planned != len(t.tests):
		t.gap("%d tests were planned, %d reported", t.planned, len(t.tests))
	}
	for n := range t.seen {
		if n < 1 || (t.planned >= 0 && n > t.planned) {
			t.gap("a verdict on test %d, which was not planned", n)
		}
	}
	for i := range t.tests {
		if m := t.tests[i].Message; output.SaysUnimplemented(m) {
			t.tests[i].Class = gates.ClassUnimplemented
		}
	}
}
