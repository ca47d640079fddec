package testrun

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// Verdict is what one command showed.
type Verdict struct {
	Outcome     gates.Outcome
	Tests       []gates.Test
	Diagnostics []gates.Diagnostic
	Detail      gates.Detail
}

// Reader runs a command of a language and reads what it reports.
type Reader func(ctx context.Context, s *Session, argv []string) (Verdict, error)

// measure runs one command through its reader, or by exit code.
func (s *Session) measure(ctx context.Context, name string, argv []string, read Reader) (Verdict, error) {
	if len(argv) == 0 {
		return Verdict{}, nil
	}
	s.announce(name, argv)
	if read == nil {
		read = func(ctx context.Context, s *Session, argv []string) (Verdict, error) {
			return s.ByExitCode(ctx, name, argv)
		}
	}
	before := len(s.runs)
	v, err := read(ctx, s, argv)
	if err != nil {
		return v, err
	}
	return s.sound(v, s.runs[before:]), nil
}

// ByExitCode runs a command and judges it by whether it succeeded.
func (s *Session) ByExitCode(ctx context.Context, name string, argv []string) (Verdict, error) {
	end, err := s.Run(ctx, Job{Name: name, Argv: argv})
	if err != nil {
		return Verdict{}, err
	}
	return end.Verdict(), nil
}

// Verdict is what can be said of a command from its end alone.
func (e Ended) Verdict() Verdict {
	v, stopped := e.Trouble()
	switch {
	case stopped:
	case e.Exit == 0:
		v.Outcome = gates.Passed
	default: // that something was raised is all that an exit code can say
		v.Outcome = gates.Failed
		v.Diagnostics = []gates.Diagnostic{{
			Class:   gates.ClassException,
			Message: fmt.Sprintf("%s: exit code %d: %s", commandLine(e.Argv), e.Exit, output.FirstError(e.Output)),
		}}
	}
	v.Detail = gates.DetailExitCode
	return v
}

// Trouble reports a command that did not finish as commands do: missing, killed at its limit, or dead.
func (e Ended) Trouble() (Verdict, bool) {
	command := commandLine(e.Argv)
	failed := func(o gates.Outcome, c gates.Class, format string, args ...any) (Verdict, bool) {
		v := Crashed(c, fmt.Sprintf(format, args...))
		v.Outcome = o
		return v, true
	}
	switch {
	case e.greedy:
		return failed(gates.Timeout, gates.ClassTimeout, "%s: killed after %s, before it used up the memory of this machine", command, e.Duration.Round(time.Millisecond))
	case e.TimedOut:
		return failed(gates.Timeout, gates.ClassTimeout, "%s: killed after %s", command, e.Duration.Round(time.Millisecond))
	case e.Refused != "":
		return failed(gates.Crashed, gates.ClassRunnerMissing, "%s: %s", command, e.Refused)
	case e.signal != "":
		return failed(gates.Crashed, gates.ClassCrash, "%s: killed by %s", command, e.signal)
	case e.Exit == 126 || e.Exit == 127:
		return failed(gates.Crashed, gates.ClassRunnerMissing, "%s: %s", command, output.FirstError(e.Output))
	}
	return Verdict{}, false
}

// Reported is the verdict on a run with a report. Gaps are missing from the proof that it
// finished; broken is what could not be built or loaded.
func Reported(end Ended, tests []gates.Test, gaps []gates.Diagnostic, broken ...gates.Diagnostic) Verdict {
	r := Verdict{Detail: gates.DetailTest, Tests: tests}
	trouble, stopped := end.Trouble()
	switch {
	case stopped:
		r.Outcome, r.Diagnostics = trouble.Outcome, append(trouble.Diagnostics, gaps...)
	case len(gaps) > 0:
		r.Outcome, r.Diagnostics = gates.Crashed, slices.Concat(gaps, broken)
	case len(broken) > 0:
		r.Outcome, r.Diagnostics = Broken(broken).Outcome, broken
	default:
		r.Outcome, r.Diagnostics = conclude(tests, end)
	}
	return r
}

// Unreported is the verdict on a run that came to its end and left no report; what says which.
func (e Ended) Unreported(class gates.Class, what string) Verdict {
	if trouble, stopped := e.Trouble(); stopped {
		return trouble
	}
	return Crashed(class, fmt.Sprintf("exit code %d, and %s: %s", e.Exit, what, output.FirstError(e.Output)))
}

// Gap is something that is missing from the proof that the run finished.
func (e Ended) Gap(format string, args ...any) gates.Diagnostic {
	class := gates.ClassCrash
	if e.TimedOut {
		class = gates.ClassTimeout
	}
	return gates.Diagnostic{Class: class, Message: fmt.Sprintf(format, args...)}
}

// conclude is the outcome of a run that finished: failed if a test did, empty if none passed,
// crashed if the exit code contradicts the tests.
func conclude(tests []gates.Test, end Ended) (gates.Outcome, []gates.Diagnostic) {
	count := gates.TallyOf(gates.Facts{Tests: tests})
	switch {
	case count.Failed > 0:
		return gates.Failed, nil
	case end.Exit != 0:
		return gates.Crashed, []gates.Diagnostic{{
			Class:   gates.ClassCrash,
			Message: fmt.Sprintf("no test failed, but the exit code is %d: %s", end.Exit, output.FirstError(end.Output)),
		}}
	case count.Passed == 0:
		return gates.Empty, []gates.Diagnostic{{Class: gates.ClassNoTests, Message: "no test ran"}}
	}
	return gates.Passed, nil
}

// Crashed is the verdict on a run that is no fact.
func Crashed(class gates.Class, message string) Verdict {
	return Verdict{Outcome: gates.Crashed, Detail: gates.DetailTest, Diagnostics: []gates.Diagnostic{{
		Class: class, Message: output.EndOf(message, output.MessageLimit),
	}}}
}

// Broken is the verdict on a project that does not build, by what was complained of.
func Broken(found []gates.Diagnostic) Verdict {
	v := Verdict{Outcome: gates.Broken, Detail: gates.DetailTest, Diagnostics: found}
	if slices.ContainsFunc(found, func(d gates.Diagnostic) bool { return d.Class == gates.ClassInfra || d.Class == gates.ClassCrash }) {
		v.Outcome = gates.Crashed // it did not finish, and shows no fact
	}
	return v
}

// Summary is what a person sees of a verdict whose tests went to files.
func (v Verdict) Summary() string {
	var out strings.Builder
	facts := gates.Facts{Tests: v.Tests}
	for _, t := range facts.With(gates.StatusFailed) {
		fmt.Fprintf(&out, "\n--- %s: %s (%s)\n%s\n", t.ID, t.Status, t.Class, t.Message)
	}
	for _, d := range v.Diagnostics {
		if d.File == "" {
			fmt.Fprintf(&out, "\n%s: %s\n", d.Class, d.Message)
		}
	}
	count := gates.TallyOf(facts)
	fmt.Fprintf(&out, "\n%s: %d passed, %d failed, %d skipped\n", v.Outcome, count.Passed, count.Failed, count.Skipped)
	return out.String()
}
