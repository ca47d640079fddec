package journal

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// Finding is what a language makes of something that was raised. Its message takes the place
// of the event's own, where that holds nothing but text.
type Finding = gates.Diagnostic

// Run is a run of the tests, and the journal of it.
type Run struct {
	Journal *Journal
	End     testrun.Ended
	Places  *testrun.Places
	// Explain says what something that was raised means in this language.
	Explain func(e Event) Finding
	// NoTestsExit is the exit code by which the runner says that no test ran; zero
	// where it has none.
	NoTestsExit int
	// Broken and Faults are what else could not be built, and what else keeps the run from
	// being believed.
	Broken, Faults []gates.Diagnostic
}

// Variable is the environment variable that tells reporters where to write.
const Variable = "TDD_JOURNAL"

// Keep runs a command whose runner loads reporters of ours, the files of the folder
// "reporters", and reads what they wrote. job is the command, once the reporters stand in a
// private folder; reported is false where none of them wrote anything.
func Keep(ctx context.Context, s *testrun.Session, reporters fs.FS, job func(dir string) testrun.Job) (run Run, reported bool, err error) {
	own, err := fs.Sub(reporters, "reporters")
	if err == nil {
		err = os.CopyFS(s.Reporters, own) // anew for each run
	}
	if err != nil {
		return run, false, fmt.Errorf("install the reporters: %w", err)
	}
	j := job(s.Reporters)
	j.Name, j.Env = "test", append(j.Env, Variable+"="+s.Journals)
	if run.End, err = s.Run(ctx, j); err != nil {
		return run, false, err
	}
	run.Places = s.Places()
	run.Journal, reported, err = Read(s.Journals)
	return run, reported, err
}

// Verdict is what the run showed.
func (r Run) Verdict() testrun.Verdict {
	gaps, broken := slices.Concat(r.Journal.Gaps(r.End), r.Faults), slices.Concat(r.Broken, r.broken())
	if _, waiting := r.Journal.Unfinished(); len(waiting) > 0 && len(gaps)+len(broken) == 0 {
		broken = []gates.Diagnostic{{Class: gates.ClassException, Message: "a failure kept these from running: " + output.FirstFew(waiting)}}
	}
	if r.End.Exit == r.NoTestsExit && r.Journal.Exit == r.NoTestsExit && !r.Journal.has("passed") {
		r.End.Exit = 0
	}
	return testrun.Reported(r.End, r.Tests(), gaps, broken...)
}

// Tests are the tests that have a verdict.
func (r Run) Tests() []gates.Test {
	var out []gates.Test
	for _, id := range r.Journal.Order {
		t := r.Journal.Tests[id]
		test := gates.Test{ID: id, File: r.Places.Relative(t.File), Line: t.Line, Status: gates.Status(t.Status)}
		switch test.Status {
		case gates.StatusFailed:
			test.Class, test.Message = r.Explain(t.Why).Class, output.EndOf(cmp.Or(t.Why.Text, t.Why.Message), output.MessageLimit)
		case gates.StatusPassed, gates.StatusSkipped:
		default:
			continue
		}
		out = append(out, test)
	}
	return out
}

// broken are the parts of the project that could not be loaded.
func (r Run) broken() []gates.Diagnostic {
	var out []gates.Diagnostic
	for _, e := range r.Journal.Broken {
		f := r.Explain(e)
		f.Message = output.EndOf(cmp.Or(f.Message, e.Message, e.Text), output.MessageLimit)
		out = append(out, f)
	}
	return gates.Union(nil, out)
}

// RaisedAt finds the innermost frame that is the project's own, and whether it is
// in a test or in production code. A file of the project's folder is foreign if it
// belongs to what is installed there.
func RaisedAt(p *testrun.Places, frames []Frame, foreign func(file string) bool) (Finding, testrun.Place) {
	for _, frame := range slices.Backward(frames) {
		if file := p.Relative(frame.File); file != "" && !foreign(file) {
			return Finding{File: file, Line: frame.Line}, p.Of(file, frame.Line)
		}
	}
	return Finding{}, testrun.Elsewhere
}

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
	class := gates.ClassInfra
	if containsAny(end.Output, missing) {
		class = gates.ClassRunnerMissing
	}
	return end.Unreported(class, "the runner reported nothing")
}

func containsAny(text string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(phrase string) bool { return strings.Contains(text, phrase) })
}

// Missing is the class of a file that is not there, and its name. What is not the project's own
// is not installed, and what production code misses was not asked for by a test.
func Missing(file string, own bool, at testrun.Place) (gates.Class, string) {
	switch {
	case !own:
		return gates.ClassInfra, ""
	case at == testrun.InSource:
		return gates.ClassCompile, ""
	}
	base := path.Base(filepath.ToSlash(file))
	return gates.ClassMissingSymbol, strings.TrimSuffix(base, path.Ext(base))
}
