package testrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/gates"
)

// coverer switches line coverage on for a test command. The error is of type
// unmeasured where it cannot be.
type coverer func(ctx context.Context, b *bench, argv []string) (covering, error)

// covering is a test command with line coverage switched on.
type covering struct {
	argv []string
	env  []string // beside the usual environment
	// read reads, when the command has ended, what it wrote.
	read func(ctx context.Context, p *places) (reach, error)
}

// Cover runs the tests once more, with line coverage switched on. The facts are
// those of that run, and nothing to judge a test by: what is measured may behave
// otherwise. Their Coverage is always there; where it could not be measured it
// says why.
func Cover(ctx context.Context, req Request) (Result, error) {
	b, err := newBench(req)
	if err != nil {
		return Result{}, err
	}
	start := time.Now()
	r, coverage, err := b.cover(ctx)
	if why, ok := errors.AsType[unmeasured](err); ok {
		coverage, err = gates.Coverage{Unknown: string(why)}, nil
	}
	if err != nil {
		return Result{Runs: b.runs}, err
	}
	return b.local(Result{Runs: b.runs, Facts: gates.Facts{
		Outcome: r.outcome, Tests: unique(r.tests), Diagnostics: r.diagnostics, Detail: r.detail,
		Coverage: &coverage, DurationMS: time.Since(start).Milliseconds(),
	}}), nil
}

// cover runs the tests with line coverage switched on.
func (b *bench) cover(ctx context.Context) (report, gates.Coverage, error) {
	lang, argv := b.req.Language, b.req.Commands.Test
	switch {
	case len(argv) == 0:
		return report{}, gates.Coverage{}, unmeasured("no test command is configured")
	case lang.cover == nil:
		return report{}, gates.Coverage{}, unmeasuredf("git-tdd cannot measure it for the language %q", lang.Name)
	}
	c, err := lang.cover(ctx, b, argv)
	if err != nil {
		return report{}, gates.Coverage{}, err
	}
	b.env = lastOfEach(append(b.env, c.env...))
	r, err := b.measure(ctx, "coverage", c.argv, b.req.Commands.Report.reader(lang.test))
	if err != nil {
		return r, gates.Coverage{}, err
	}
	if r.outcome == gates.Timeout || r.outcome == gates.Crashed || r.outcome == gates.Broken {
		why := ""
		if len(r.diagnostics) > 0 {
			why, _, _ = strings.Cut(": "+r.diagnostics[0].Message, "\n")
		}
		return r, gates.Coverage{}, unmeasuredf("with coverage switched on the tests end otherwise (%s%s)", r.outcome, why)
	}
	p := b.places()
	found, err := c.read(ctx, p)
	if err != nil {
		return r, gates.Coverage{}, err
	}
	coverage := found.coverage(p)
	if len(coverage.Files) == 0 {
		return r, coverage, unmeasured("the test run reported on no line of the sources")
	}
	return r, coverage, nil
}

// foreign reports whether a file is build output or belongs to a dependency.
func (l Language) foreign(file string) bool {
	return slices.ContainsFunc(slices.Concat(l.BuildDirs, l.Link), func(dir string) bool { return strings.HasPrefix(file, dir+"/") })
}

// own is relative for tools that name files without symbolic links.
func (p *places) own(name string) string {
	if rest, ok := strings.CutPrefix(name, resolved(p.dir)+string(filepath.Separator)); ok {
		name = filepath.Join(p.dir, rest)
	}
	return p.relative(name)
}

// coverage counts the lines of the sources that are no tests.
func (l reach) coverage(p *places) gates.Coverage {
	var out gates.Coverage
	for file, found := range l {
		if p.lang.Kind(file) != gates.KindSource || p.lang.foreign(file) {
			continue
		}
		f := gates.FileCoverage{Path: file}
		for line, reached := range found {
			if p.of(file, line) != placeSource {
				continue
			}
			f.Lines++
			if reached {
				f.Reached++
			}
		}
		if f.Lines > 0 {
			out.Files = append(out.Files, f)
		}
	}
	slices.SortFunc(out.Files, func(a, b gates.FileCoverage) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// coverByReporter lets a reporter of ours write the coverage of its process. The words
// say why there is none.
func coverByReporter(b *bench, argv []string, words map[string]string) (covering, error) {
	folder := filepath.Join(b.reports, "coverage")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return covering{}, fmt.Errorf("make the folder of the coverage: %w", err)
	}
	return covering{
		argv: argv, env: []string{"TDD_COVERAGE=" + folder},
		read: func(_ context.Context, p *places) (reach, error) { return readReported(folder, p.own, words) },
	}, nil
}
