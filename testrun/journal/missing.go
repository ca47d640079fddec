package journal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// ByExitCode judges a run without a journal of a command that need not start a
// runner that we know, such as a script. But where it printed one of the marks, a
// runner did run and its journal is gone: that is no pass.
func ByExitCode(end testrun.Ended, marks ...string) testrun.Verdict {
	if end.Exit == 0 && containsAny(end.Output, marks) {
		return testrun.Crashed(gates.ClassCrash, "a runner ran, but its report is gone; let it write JUnit XML or TAP, and name that as ci.report, or set ci.report: exit-code")
	}
	return end.Verdict()
}

// NoReport judges a run without a journal of a command that starts a runner that we
// know. It has crashed; where it printed one of the phrases in missing, that is
// because the runner is not installed.
func NoReport(end testrun.Ended, missing ...string) testrun.Verdict {
	if r := end.Verdict(); r.Outcome == gates.Timeout || r.Outcome == gates.Crashed {
		r.Detail = gates.DetailTest
		return r
	}
	class := gates.ClassInfra
	if containsAny(end.Output, missing) {
		class = gates.ClassRunnerMissing
	}
	return testrun.Crashed(class, fmt.Sprintf("exit code %d, and the runner reported nothing: %s", end.Exit, output.FirstError(end.Output)))
}

func containsAny(text string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(phrase string) bool { return strings.Contains(text, phrase) })
}
