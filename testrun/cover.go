package testrun

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun/coverage"
)

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
	lang, argv := s.Request.Language, s.Request.Commands.Test
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
