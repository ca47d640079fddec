package cpp

import (
	"cmp"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

var (
	catchSummaryPattern   = lazyregexp.New(`(?m)^(?:All tests passed \(|test cases: +\d+ \|)`)
	catchExceptionPattern = lazyregexp.New(`(?m)^due to unexpected exception with messages?:\n\s*(.*)`)
	catchFailurePattern   = lazyregexp.New(`(?m)^\S.*:\d+: FAILED:`)
)

// catch judges a test of Catch2: it passed only if Catch2 says so, too.
func (o trial) catch(end testrun.Ended) {
	title := strings.TrimPrefix(o.test.Name, "Scenario: ")
	t := gates.Test{ID: o.target() + "::" + title}
	t.File, t.Line = whereDeclared(o.run.places, title)
	text := o.result.Output
	over := catchSummaryPattern.MatchString(text)
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
	if hit := catchExceptionPattern.FindStringSubmatch(text); hit != nil {
		class = exceptionClass(hit[1])
	}
	if strings.Contains(text, "\ndue to a fatal error condition") {
		class = gates.ClassCrash
	}
	if at := catchFailurePattern.FindStringIndex(text); at != nil {
		text = text[at[0]:]
	}
	if at := strings.Index(text, "\n==="); at >= 0 {
		text = text[:at]
	}
	return class, text
}
