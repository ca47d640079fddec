package testrun

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/coverage"
)

// defaultTimeout is the limit of a command where the configuration sets none.
const defaultTimeout = 5 * time.Minute

// Result is what a measurement shows.
type Result struct {
	// Facts has an empty Tree: the caller knows which one it exported.
	Facts gates.Facts
	Runs  []Run // in the order in which they ran
}

// LastLines are the last lines of what the last command printed.
func (r Result) LastLines(most int) string {
	if len(r.Runs) == 0 {
		return ""
	}
	lines := strings.Split(strings.TrimRight(r.Runs[len(r.Runs)-1].Output, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-most):], "\n")
}

// Request says what to run, where and how.
type Request struct {
	Dir string // the workbench: an absolute path; build output may be written there
	// Folder is where in it the project stands. A [Reader] finds the project in Dir,
	// and what it says of paths and ids there becomes that of the tree.
	Folder Folder
	// At are the paths at which commands find the workbench; they run in the first, or where it
	// is. Deps are the folders and files outside that they find in it, by slash-separated path;
	// what they change there is lost. Both need [sandbox.Mounts].
	At   []string
	Deps map[string]string
	// Keep has what tests change in kept build output and in caches be lost, where
	// the tests are processes of their own. It needs [sandbox.Mounts].
	Keep bool

	// Walls keep commands from what is not the project's; nil: they are free. Where the
	// system lets no walls be built, commands run without.
	Walls *Walls

	Scratch   string    // a private directory for temporary files and reports, see [Clear]; one call at a time
	Commands  Commands  // what to run
	Language  Language  // how to read it
	Env       []string  // NAME=value that the configuration declares
	Environ   []string  // the caller's environment; only a short list of it is passed on
	Languages Languages // that commands may need the tools of; the environment allows for them
	// Altered is set if tests are made to fail; what they then leave open must not keep others from running.
	Altered bool
	// Alone is the longest that a command may take that runs what was built before; zero means
	// as long as any other.
	Alone time.Duration
	// Phase, where it is set, is called with "fmt", "check" or "test" and the command
	// before that starts.
	Phase func(name string, argv []string)
	Start Starter // nil: [Launch]; tests play recorded runs
}

// Measure runs the check, then the tests, and reads what they show, whether or not the check
// fails. What the project does wrong, a missing tool, a timeout and a crash are facts; the
// error means that ctx ended or our own machinery failed.
func Measure(ctx context.Context, req Request) (Result, error) {
	s, err := newSession(req)
	if err != nil {
		return Result{}, err
	}
	start := time.Now()
	commands, lang := s.Request.Commands, s.Request.Language
	check, err := s.measure(ctx, "check", commands.Check, lang.Check)
	if err != nil {
		return Result{Runs: s.runs}, err
	}
	tests := time.Now()
	test, err := s.measure(ctx, "test", s.setting(commands.Test), commands.Report.reader(lang.Test))
	if err != nil {
		return Result{Runs: s.runs}, err
	}
	if test.Outcome == "" {
		test = Verdict{Outcome: gates.Empty, Detail: gates.DetailExitCode, Diagnostics: []gates.Diagnostic{{
			Class: gates.ClassNoTests, Message: "no test command is configured",
		}}}
	}
	return s.portable(Result{Runs: s.runs, Facts: gates.Facts{
		Outcome: test.Outcome, Tests: unique(test.Tests), Diagnostics: test.Diagnostics, Detail: test.Detail,
		Check: check.Outcome, CheckDiagnostics: check.Diagnostics,
		DurationMS: time.Since(start).Milliseconds(), TestMS: time.Since(tests).Milliseconds(), AloneMS: s.alone.Milliseconds(),
	}}), nil
}

// Format runs the format command. A command that fails is no error: its exit
// code and output are in the Run. Without a command the Run is empty.
func Format(ctx context.Context, req Request) (Run, error) {
	s, err := newSession(req)
	if err != nil || len(req.Commands.Fmt) == 0 {
		return Run{}, err
	}
	s.announce("fmt", req.Commands.Fmt)
	_, err = s.Run(ctx, Job{Name: "fmt", Argv: req.Commands.Fmt})
	if err != nil {
		return Run{}, err
	}
	return s.runs[0], nil
}

// addressPattern finds addresses in memory, as Ruby, C, Python and Go print them, or Java of an
// object without a text. A project seldom writes a number of that size itself.
var addressPattern = lazyregexp.New(`\b(0x)(?:0000[0-9a-fA-F]{12}|[57f][0-9a-f]{11}|c0[0-9a-f]{8})\b|\b([A-Z][\w$]*@)[0-9a-f]{5,8}\b`)

// unique orders tests by id and makes every id the id of one test, in every run: an
// address in it is left out, and a later test of the same id gets an ordinal.
func unique(tests []gates.Test) []gates.Test {
	out := append([]gates.Test{}, tests...) // never nil: no tests are a list, too
	for i := range out {
		out[i].ID = addressPattern().ReplaceAllString(out[i].ID, "${1}${2}…")
	}
	slices.SortStableFunc(out, func(a, b gates.Test) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	times := make(map[string]int, len(out))
	for i := range out {
		id := out[i].ID
		times[id]++
		if n := times[id]; n > 1 {
			out[i].ID = fmt.Sprintf("%s#%d", id, n)
		}
	}
	slices.SortFunc(out, func(a, b gates.Test) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// Coverer switches line coverage on for a test command, or fails with a [coverage.UnmeasuredError].
type Coverer func(ctx context.Context, s *Session, argv []string) (Covering, error)

// Covering is a test command with line coverage switched on.
type Covering struct {
	Argv []string
	Env  []string // beside the usual environment
	// Read reads what the command wrote, once it has ended.
	Read func(ctx context.Context, p *Places) (coverage.Lines, error)
}

// Cover runs the tests once more, with line coverage switched on. Its facts judge no test:
// instrumented code may behave otherwise. Their Coverage is always set; it says why if it could
// not be measured.
func Cover(ctx context.Context, req Request) (Result, error) {
	s, err := newSession(req)
	if err != nil {
		return Result{}, err
	}
	start := time.Now()
	r, covered, err := s.cover(ctx)
	if why, ok := errors.AsType[coverage.UnmeasuredError](err); ok {
		covered, err = gates.Coverage{Unknown: why.Error()}, nil
	}
	if err != nil {
		return Result{Runs: s.runs}, err
	}
	return s.portable(Result{Runs: s.runs, Facts: gates.Facts{
		Outcome: r.Outcome, Tests: unique(r.Tests), Diagnostics: r.Diagnostics, Detail: r.Detail,
		Coverage: &covered, DurationMS: time.Since(start).Milliseconds(),
	}}), nil
}

// cover runs the tests with line coverage switched on.
func (s *Session) cover(ctx context.Context) (Verdict, gates.Coverage, error) {
	lang, argv := s.Request.Language, s.setting(s.Request.Commands.Test)
	switch {
	case len(argv) == 0:
		return Verdict{}, gates.Coverage{}, coverage.UnmeasuredError("no test command is configured")
	case lang.Cover == nil:
		return Verdict{}, gates.Coverage{}, coverage.Unmeasuredf("git-tdd cannot measure it for the language %q", lang.Name)
	}
	c, err := lang.Cover(ctx, s, argv)
	if err != nil {
		return Verdict{}, gates.Coverage{}, err
	}
	s.Env = lastOfEach(append(s.Env, c.Env...))
	r, err := s.measure(ctx, "coverage", c.Argv, s.Request.Commands.Report.reader(lang.Test))
	if err == nil {
		err = undisturbed(r)
	}
	if err != nil {
		return r, gates.Coverage{}, err
	}
	p := s.Places()
	found, err := c.Read(ctx, p)
	covered := count(found, p)
	if err == nil && len(covered.Files) == 0 {
		err = coverage.UnmeasuredError("the test run reported on no line of the sources")
	}
	return r, covered, err
}

// undisturbed demands that the tests ran in spite of the coverage.
func undisturbed(r Verdict) error {
	if slices.Contains([]gates.Outcome{gates.Timeout, gates.Crashed, gates.Broken}, r.Outcome) {
		why := ""
		if len(r.Diagnostics) > 0 {
			why, _, _ = strings.Cut(": "+r.Diagnostics[0].Message, "\n")
		}
		return coverage.Unmeasuredf("with coverage switched on the tests end otherwise (%s%s)", r.Outcome, why)
	}
	return nil
}

// count counts the lines of the sources that are no tests.
func count(l coverage.Lines, p *Places) gates.Coverage {
	var out gates.Coverage
	for _, file := range slices.Sorted(maps.Keys(l)) {
		if p.Language.Kind(file) != gates.KindSource || p.Language.Foreign(file) {
			continue
		}
		f := gates.FileCoverage{Path: file}
		for _, line := range slices.Sorted(maps.Keys(l[file])) {
			if p.Of(file, line) != InSource {
				continue
			}
			f.Lines++
			if l[file][line] {
				f.Reached++
				f.Ran = append(f.Ran, line)
			} else {
				f.Missed = append(f.Missed, line)
			}
		}
		if f.Lines > 0 {
			out.Files = append(out.Files, f)
		}
	}
	return out
}

// CoverByReporter measures by a reporter of ours, which writes to the folder in TDD_COVERAGE.
func CoverByReporter(why coverage.Reasons) Coverer {
	return func(_ context.Context, s *Session, argv []string) (Covering, error) {
		return Covering{
			Argv: argv, Env: []string{"TDD_COVERAGE=" + s.Coverage},
			Read: func(_ context.Context, p *Places) (coverage.Lines, error) {
				return coverage.ReadReported(s.Coverage, p.Own, why)
			},
		}, nil
	}
}
