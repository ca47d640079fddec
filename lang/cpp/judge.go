package cpp

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

var (
	summaryPattern    = lazyregexp.New(`^\d+% tests passed(?:, \d+ tests? failed)? out of \d+`)
	failedTestPattern = lazyregexp.New(`^\s+\d+ - (.*) \(([^()]*)\)(?:\s.*)?$`)
	assertPattern     = lazyregexp.New(`(?m)^(?:.*: )?(\S+):(\d+): .*: Assertion .* failed\.$`)
	complaintPattern  = lazyregexp.New(`(?m)^(\S+?):(\d+):(?:[^:\n]*:FAIL(?::|$)| (?:FATAL )?ERROR: (?:(?:.* |test case )THREW exception: (.*))?)`) // of Unity, of doctest
	terminatePattern  = lazyregexp.New(`(?m)^terminate called after throwing an instance of .*\n(?:  what\(\):  (.*))?`)
)

// ctestSummary is what CTest says at its end.
type ctestSummary struct {
	ended   bool
	none    bool
	failed  bool              // what follows are those that failed
	reasons map[string]string // why a test failed, by its name
}

// read takes in a line. Without --output-on-failure all of them are CTest's own.
func (s *ctestSummary) read(raw []byte) {
	line := strings.TrimRight(string(raw), "\r")
	switch {
	case summaryPattern.MatchString(line):
		s.ended = true
	case strings.HasPrefix(line, "No tests were found!!!"):
		s.none = true
	case strings.HasPrefix(line, "The following tests "):
		s.failed = s.ended && strings.HasPrefix(line, "The following tests FAILED:")
	case s.failed:
		if hit := failedTestPattern().FindStringSubmatch(line); hit != nil {
			s.reasons[hit[1]] = hit[2]
		}
	}
}

// framework is what a test program is made with.
type framework int

const (
	plainTest framework = iota // CTest goes by its exit code, and so do we
	gtestTest
	catchTest
	doctestTest
)

// frameworkOf finds out what a test's program is made with, by looking into it.
// Where the test itself says what passing means, that does not matter.
func (c *ctestRun) frameworkOf(t ctestTest) framework {
	said := []string{"WILL_FAIL", "PASS_REGULAR_EXPRESSION", "FAIL_REGULAR_EXPRESSION"}
	if len(t.Command) == 0 || slices.ContainsFunc(t.Properties, func(p ctestProperty) bool { return slices.Contains(said, p.Name) }) {
		return plainTest
	}
	program := t.Command[0]
	kind, ok := c.known[program]
	if !ok {
		kind = programFramework(program)
		c.known[program] = kind
	}
	if kind == catchTest && slices.ContainsFunc(t.Command[1:], func(arg string) bool {
		return slices.Contains([]string{"-r", "-o"}, arg) || output.HasAnyPrefix(arg, "--reporter", "--out")
	}) {
		return plainTest
	}
	return kind
}

// programFramework looks into a program.
func programFramework(program string) framework {
	raw, err := wholefile.Read(program)
	switch {
	case err != nil:
	case bytes.Contains(raw, []byte("gtest_filter")), bytes.Contains(raw, []byte("_ZN7testing4Test")):
		return gtestTest
	case bytes.Contains(raw, []byte("No test cases matched")), bytes.Contains(raw, []byte("_ZN5Catch")):
		return catchTest
	case bytes.Contains(raw, []byte("[doctest] ")), bytes.Contains(raw, []byte("_ZN7doctest")):
		return doctestTest
	}
	return plainTest
}

// judge makes facts of all that CTest and the frameworks said of the tests.
func (c *ctestRun) judge(end testrun.Ended, said ctestSummary) {
	for _, t := range c.listed {
		results := c.results[t.Name]
		if len(results) == 0 {
			c.gap(end, "%s has no verdict", t.Name)
			continue
		}
		c.results[t.Name] = results[1:]
		one := trial{run: c, test: t, result: results[0], reason: said.reasons[t.Name]}
		switch c.frameworkOf(t) {
		case gtestTest:
			one.gtest(end)
		case catchTest:
			one.catch(end)
		case plainTest, doctestTest:
			one.plain()
		}
	}
	if !said.ended && !said.none && !end.TimedOut {
		c.gap(end, "CTest ended without its summary: %s", output.LastLine(end.Output))
	}
}

// gap notes what is missing from the proof that the run finished.
func (c *ctestRun) gap(end testrun.Ended, format string, args ...any) {
	if len(c.gaps) < 20 {
		c.gaps = append(c.gaps, end.Gap(format, args...))
	}
}

// trial is one test of CTest, with all that it is judged by.
type trial struct {
	run    *ctestRun
	test   ctestTest
	result testrun.JUnitCase
	reason string // in CTest's words; empty where it did not fail
}

// target is the name of the program that the test runs.
func (o trial) target() string { return output.Program(o.test.Command[0]) }

// skipped reports whether the test is disabled, or skipped itself.
func (o trial) skipped() bool {
	return o.result.Status == "disabled" || len(o.result.Skipped) > 0 && o.reason == ""
}

// failed reports whether the test failed in CTest's opinion.
func (o trial) failed() bool { return o.reason != "" || o.result.Status != "run" && !o.skipped() }

// add notes a verdict on a test, and why it failed where it did.
func (o trial) add(t gates.Test, class gates.Class, why string) {
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

// died is the class of a process that did not end by itself, or ended before its
// framework had reported; none where it ended well.
func (o trial) died() gates.Class {
	text := o.result.Output
	switch o.reason {
	case "", "Failed", "Not Run":
		return gates.ClassNone
	case "Timeout":
		return gates.ClassTimeout
	}
	if output.HasAnyPrefix(o.reason, "Required regular expression", "Error regular expression") {
		return gates.ClassAssertion
	}
	if hit := assertPattern().FindStringSubmatch(text); hit != nil {
		if o.run.places.Of(o.run.places.Relative(hit[1], o.run.dir), 0) == testrun.InTest {
			return gates.ClassAssertion
		}
		return gates.ClassException
	}
	if hit := terminatePattern().FindStringSubmatch(text); hit != nil {
		return exceptionClass(hit[1])
	}
	return gates.ClassCrash
}

// exceptionClass is the class of an exception, by its own words: C++ does not say
// where it was thrown.
func exceptionClass(words string) gates.Class {
	if output.SaysUnimplemented(words) {
		return gates.ClassUnimplemented
	}
	return gates.ClassException
}

// plain judges a test by CTest's word. Its text is the file that its program is built
// from. One that could not be started is not the test's doing. Unity, of C, says which expectation was not met.
func (o trial) plain() {
	t := gates.Test{ID: o.test.Name}
	if len(o.test.Command) > 0 {
		t.File = o.run.files[o.run.places.Relative(o.test.Command[0])]
	}
	class, why := o.died(), o.result.Output
	switch {
	case !o.failed():
		class = gates.ClassNone
	case o.reason == "Not Run":
		class = gates.ClassInfra
	case class == gates.ClassNone:
		class = gates.ClassException // an exit code says no more than that something was wrong
		if hit := complaintPattern().FindStringSubmatch(why); hit != nil {
			class, t.File, t.Line = gates.ClassAssertion, o.run.places.Relative(hit[1], o.run.dir), output.Atoi(hit[2])
			if hit[3] != "" {
				class = exceptionClass(hit[3])
			}
			why = why[strings.Index(why, hit[0]):]
		}
	}
	o.add(t, class, cmp.Or(why, o.reason))
}

// whereDeclared finds the declaration of a test by its name.
func whereDeclared(p *testrun.Places, title string) (file string, line int) {
	for name := range p.Files(append(p.Language.BuildDirs, ".*")...) {
		if p.Language.Kind(name) != gates.KindTest {
			continue
		}
		t := page().Parse(p.Text(name))
		for _, fn := range functions(t) {
			if fn.Test == title {
				return name, 1 + strings.Count(t.Text[:t.Span(fn.Params).Start], "\n")
			}
		}
	}
	return "", 0
}
