package java

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// gradleConsole reads what Gradle says of a run, beside the journal.
type gradleConsole struct {
	javac   *javac
	ended   string   // its last line, which says whether the build succeeded
	reasons []string // why the build failed
	open    bool     // the last reason continues
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
	reported := run.Journal.Open+run.Journal.Ended > 0
	if trouble, stopped := run.End.Trouble(); stopped && !reported {
		return trouble
	} else if stopped {
		return run.Verdict()
	}
	found, faults := g.javac.explain(g.reasons, gradleReason)
	if run.End.Exit == 0 && (!reported || !strings.HasPrefix(g.ended, "BUILD SUCCESSFUL")) {
		faults = append(faults, gates.Diagnostic{Class: gates.ClassCrash, Message: "exit code 0, but Gradle did not say that the build succeeded, or its report is gone"})
	}
	if run.End.Exit != 0 && len(g.reasons) == 0 {
		faults = append(faults, gates.Diagnostic{Class: gates.ClassInfra, Message: output.FirstError(run.End.Output)})
	}
	if len(found)+len(faults) > 0 {
		faults = append(faults, run.Journal.Gaps(run.End)...)
		r := testrun.Verdict{Outcome: gates.Broken, Detail: gates.DetailTest, Tests: run.Tests(), Diagnostics: slices.Concat(found, faults)}
		if len(faults) > 0 || slices.ContainsFunc(found, testrun.NoFact) {
			r.Outcome = gates.Crashed
		}
		return r
	}
	if g.nothing() {
		run.NoTestsExit = 1
	}
	return run.Verdict()
}

// nothing reports a build that failed only because no test fits a filter.
func (g *gradleConsole) nothing() bool {
	return len(g.reasons) > 0 && !slices.ContainsFunc(g.reasons, func(r string) bool {
		return gradleReason(r).Class != gates.ClassNoTests
	})
}

// gradleReason says what a reason means: nothing new where tests failed, because
// the journal has them; a compile error where the compiler said no more.
func gradleReason(text string) gates.Diagnostic {
	d := gates.Diagnostic{Class: gates.ClassInfra, Message: output.EndOf(text, output.MessageLimit)}
	switch {
	case strings.Contains(text, "There were failing tests"):
		d.Class = gates.ClassNone
	case strings.Contains(text, "No tests found for given includes"):
		d.Class = gates.ClassNoTests
	case strings.Contains(text, "Compilation failed"), strings.Contains(text, "Compilation error"):
		d.Class = gates.ClassCompile
	case strings.Contains(text, "Timeout has been exceeded"):
		d.Class = gates.ClassTimeout
	case strings.Contains(text, "finished with non-zero exit value"), strings.Contains(text, "Test process encountered an unexpected problem"):
		d.Class = gates.ClassCrash
	}
	return d
}
