package java

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// console is what a build tool says of a run, beside what is reported of its tests.
type console struct {
	javac   *javac
	means   []meaning
	ended   string   // its last line, which says whether the build succeeded
	reasons []string // why the build failed
	open    bool     // the last reason may go on
}

// meaning is what a reason means that holds any of some words.
type meaning struct {
	class gates.Class
	words []string
}

// class says what a reason means: nothing new where tests failed, because their reports have
// them; a compile error where the compiler said no more.
func (c *console) class(reason string) gates.Class {
	for _, m := range c.means {
		if slices.ContainsFunc(m.words, func(w string) bool { return strings.Contains(reason, w) }) {
			return m.class
		}
	}
	return gates.ClassInfra
}

// explain sorts the reasons for which a build failed: what does not compile, in the
// compiler's words if there are any, and what else went wrong. That tests failed,
// or that there were none, shows elsewhere.
func (c *console) explain() (broken, faults []gates.Diagnostic) {
	for _, reason := range c.reasons {
		d := gates.Diagnostic{Class: c.class(reason), Message: output.EndOf(reason, output.MessageLimit)}
		switch {
		case d.Class == gates.ClassNone || d.Class == gates.ClassNoTests:
		case d.Class != gates.ClassCompile:
			faults = append(faults, d)
		default:
			if broken = c.javac.findings(); len(broken) == 0 {
				broken = []gates.Diagnostic{d}
			}
		}
	}
	return broken, faults
}

// nothing reports a build that failed only because there was no test to run.
func (c *console) nothing() bool {
	return len(c.reasons) > 0 && !slices.ContainsFunc(c.reasons, func(r string) bool { return c.class(r) != gates.ClassNoTests })
}

// gradleConsole reads what Gradle says of a run, beside the journal.
type gradleConsole struct{ console }

func newGradleConsole(index *sourceIndex) *gradleConsole {
	return &gradleConsole{console{javac: &javac{index: index}, means: []meaning{
		{gates.ClassNone, []string{"There were failing tests"}},
		{gates.ClassNoTests, []string{"No tests found for given includes"}},
		{gates.ClassCompile, []string{"Compilation failed", "Compilation error"}},
		{gates.ClassTimeout, []string{"Timeout has been exceeded"}},
		{gates.ClassCrash, []string{"finished with non-zero exit value", "Test process encountered an unexpected problem"}},
	}}}
}

// read takes in a line.
func (g *gradleConsole) read(raw []byte) {
	line := strings.TrimRight(string(raw), "\r ")
	switch {
	case strings.HasPrefix(line, "BUILD SUCCESSFUL"), strings.HasPrefix(line, "BUILD FAILED"):
		g.ended = line
	case line == "* What went wrong:":
		g.reasons, g.open = append(g.reasons, ""), true
	case strings.HasPrefix(line, "* "):
		g.open = false
	case g.open && line != "":
		g.reasons[len(g.reasons)-1] = strings.TrimSpace(g.reasons[len(g.reasons)-1] + "\n" + line)
	}
	g.javac.read(line)
}

// verdict is what a run showed, by the journal and by Gradle's words.
func (g *gradleConsole) verdict(run journal.Run) testrun.Verdict {
	if _, stopped := run.End.Trouble(); stopped {
		return run.Verdict()
	}
	run.Broken, run.Faults = g.explain()
	reported := run.Journal.Open+run.Journal.Ended > 0
	switch {
	case run.End.Exit == 0 && (!reported || !strings.HasPrefix(g.ended, "BUILD SUCCESSFUL")):
		run.Faults = append(run.Faults, gates.Diagnostic{Class: gates.ClassCrash, Message: "exit code 0, but Gradle did not say that the build succeeded, or its report is gone"})
	case run.End.Exit != 0 && len(g.reasons) == 0:
		run.Faults = append(run.Faults, gates.Diagnostic{Class: gates.ClassInfra, Message: output.FirstError(run.End.Output)})
	case g.nothing():
		run.NoTestsExit = 1
	}
	return run.Verdict()
}
