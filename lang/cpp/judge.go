package cpp

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// ctestSummary is what CTest says at its end.
type ctestSummary struct {
	ended   bool
	none    bool
	failed  bool              // what follows are those that failed
	reasons map[string]string // why a test failed, by its name
}

// hear takes in a line. Without --output-on-failure all of them are CTest's own.
func (s *ctestSummary) hear(raw []byte) {
	line := strings.TrimRight(string(raw), "\r")
	switch {
	case regexp.MustCompile(`^\d+% tests passed(?:, \d+ tests? failed)? out of \d+`).MatchString(line):
		s.ended = true
	case strings.HasPrefix(line, "No tests were found!!!"):
		s.none = true
	case strings.HasPrefix(line, "The following tests "):
		s.failed = s.ended && strings.HasPrefix(line, "The following tests FAILED:")
	case s.failed:
		if hit := regexp.MustCompile(`^\s+\d+ - (.*) \(([^()]*)\)(?:\s.*)?$`).FindStringSubmatch(line); hit != nil {
			s.reasons[hit[1]] = hit[2]
		}
	}
}

// framework is what a test program is made with.
type framework int

const (
	cppPlain framework = iota // CTest goes by its exit code, and so do we
	gTest
	cppCatch
)

// frameworkOf finds out what a test's program is made with, by the words that it
// holds. Where the test says itself what passing means, it does not matter.
func frameworkOf(t ctestTest, known map[string]framework) framework {
	if len(t.Command) == 0 {
		return cppPlain
	}
	for _, p := range t.Properties {
		if slices.Contains([]string{"WILL_FAIL", "PASS_REGULAR_EXPRESSION", "FAIL_REGULAR_EXPRESSION"}, p.Name) {
			return cppPlain
		}
	}
	program := t.Command[0]
	kind, ok := known[program]
	if !ok {
		kind = programFramework(program)
		known[program] = kind
	}
	if kind == cppCatch && slices.ContainsFunc(t.Command[1:], func(arg string) bool {
		return slices.Contains([]string{"-r", "-o"}, arg) || output.HasAnyPrefix(arg, "--reporter", "--out")
	}) {
		return cppPlain
	}
	return kind
}

// programFramework looks into a program.
func programFramework(program string) framework {
	raw, err := os.ReadFile(program)
	switch {
	case err != nil:
	case bytes.Contains(raw, []byte("gtest_filter")), bytes.Contains(raw, []byte("_ZN7testing4Test")):
		return gTest
	case bytes.Contains(raw, []byte("No test cases matched")), bytes.Contains(raw, []byte("_ZN5Catch")):
		return cppCatch
	}
	return cppPlain
}

// judge makes facts of all that was said of the tests.
func (c *ctestRun) judge(end testrun.Ended, said ctestSummary) {
	known := make(map[string]framework)
	for _, t := range c.listed {
		results := c.results[t.Name]
		if len(results) == 0 {
			c.gap(end, "%s has no verdict", t.Name)
			continue
		}
		c.results[t.Name] = results[1:]
		one := ctestOne{run: c, test: t, result: results[0], reason: c.reasons[t.Name]}
		switch frameworkOf(t, known) {
		case gTest:
			one.gtest(end)
		case cppCatch:
			one.catch(end)
		case cppPlain:
			one.plain()
		}
	}
	if !said.ended && !said.none && !end.TimedOut {
		c.gap(end, "CTest ended without its summary: %s", output.LastLine(end.Output))
	}
}

// gap notes what is missing from the proof that the run finished.
func (c *ctestRun) gap(end testrun.Ended, format string, args ...any) {
	class := gates.ClassCrash
	if end.TimedOut {
		class = gates.ClassTimeout
	}
	if text := fmt.Sprintf(format, args...); len(c.gaps) < 20 {
		c.gaps = append(c.gaps, gates.Diagnostic{Class: class, Message: text})
	}
}

// ctestOne is one test of CTest while it is judged.
type ctestOne struct {
	run    *ctestRun
	test   ctestTest
	result testrun.JUnitCase
	reason string // in CTest's words; empty where it did not fail
}

func (o ctestOne) target() string {
	return strings.TrimSuffix(filepath.Base(o.test.Command[0]), ".exe")
}

// skipped reports whether CTest ran the test, and to its end.
func (o ctestOne) skipped() bool {
	return o.result.Status == "disabled" || len(o.result.Skipped) > 0 && o.reason == ""
}

// failed reports whether CTest holds the test to have failed.
func (o ctestOne) failed() bool { return o.reason != "" || o.result.Status != "run" && !o.skipped() }

// add notes a verdict on a test. Output that shows why counts where it failed.
func (o ctestOne) add(t gates.Test, class gates.Class, why string) {
	switch {
	case class != gates.ClassNone:
		t.Status, t.Class, t.Message = gates.StatusFailed, class, headOf(strings.TrimSpace(why), output.MessageLimit)
	case o.skipped():
		t.Status = gates.StatusSkipped
	default:
		t.Status = gates.StatusPassed
	}
	o.run.tests = append(o.run.tests, t)
}

// headOf is the beginning of a text.
func headOf(text string, size int) string {
	if len(text) <= size {
		return text
	}
	return strings.ToValidUTF8(text[:size], "") + " …"
}

// died is the class of a process that did not end by itself, or before its
// framework had reported; none where it did.
func (o ctestOne) died() gates.Class {
	text := o.result.Output
	switch o.reason {
	case "", "Failed", "Not Run":
		return gates.ClassNone
	case "Timeout":
		return gates.ClassTimeout
	}
	if strings.HasPrefix(o.reason, "Required regular expression") || strings.HasPrefix(o.reason, "Error regular expression") {
		return gates.ClassAssertion
	}
	if hit := regexp.MustCompile(`(?m)^(?:.*: )?(\S+):(\d+): .*: Assertion .* failed\.$`).FindStringSubmatch(text); hit != nil {
		if o.run.places.Of(o.run.places.Relative(hit[1], o.run.dir), 0) == testrun.InTest {
			return gates.ClassAssertion
		}
		return gates.ClassException
	}
	if hit := regexp.MustCompile(`(?m)^terminate called after throwing an instance of .*\n(?:  what\(\):  (.*))?`).FindStringSubmatch(text); hit != nil {
		return cppRaised(hit[1])
	}
	return gates.ClassCrash
}

// cppRaised is the class of an exception by its own words: C++ does not say
// where it was thrown.
func cppRaised(words string) gates.Class {
	if output.SaysUnimplemented(words) {
		return gates.ClassUnimplemented
	}
	return gates.ClassException
}

// plain judges a test by CTest's word. One that could not be started is not the
// test's doing.
func (o ctestOne) plain() {
	class := o.died()
	switch {
	case !o.failed():
		class = gates.ClassNone
	case o.reason == "Not Run":
		class = gates.ClassInfra
	case class == gates.ClassNone:
		class = gates.ClassException // that something was wrong is all that an exit code can say
	}
	o.add(gates.Test{ID: o.test.Name}, class, cmp.Or(o.result.Output, o.reason))
}

// catch judges a test of Catch2: it passed only if Catch2 says so, too.
func (o ctestOne) catch(end testrun.Ended) {
	title := strings.TrimPrefix(o.test.Name, "Scenario: ")
	t := gates.Test{ID: o.target() + "::" + title}
	t.File, t.Line = titled(o.run.places, title)
	text := o.result.Output
	over := regexp.MustCompile(`(?m)^(?:All tests passed \(|test cases: +\d+ \|)`).MatchString(text)
	switch class := o.died(); {
	case strings.Contains(text, "No test cases matched"), strings.Contains(text, "No tests ran"):
		o.run.gap(end, "%s: Catch2 ran nothing: %s", o.test.Name, output.LastLine(text))
	case o.failed() && class != gates.ClassNone:
		o.add(t, class, text)
	case o.failed() && o.reason == "Not Run":
		o.add(t, gates.ClassInfra, cmp.Or(text, o.reason))
	case !over && !o.skipped():
		o.run.gap(end, "%s: the process ended before Catch2 had reported", o.test.Name)
	case o.failed():
		class, why := catchClass(text)
		o.add(t, class, why)
	default:
		o.add(t, gates.ClassNone, "")
	}
}

// catchClass reads why Catch2 failed a test, and the part of its words that a
// person should see.
func catchClass(text string) (gates.Class, string) {
	class := gates.ClassAssertion
	if hit := regexp.MustCompile(`(?m)^due to unexpected exception with messages?:\n\s*(.*)`).FindStringSubmatch(text); hit != nil {
		class = cppRaised(hit[1])
	}
	if strings.Contains(text, "\ndue to a fatal error condition") {
		class = gates.ClassCrash
	}
	if at := regexp.MustCompile(`(?m)^\S.*:\d+: FAILED:`).FindStringIndex(text); at != nil {
		text = text[at[0]:]
	}
	if at := strings.Index(text, "\n==="); at >= 0 {
		text = text[:at]
	}
	return class, text
}
