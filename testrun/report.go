package testrun

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/git-tdd/git-tdd/gates"
)

// ReportFormat is a form of report that many test runners can write.
type ReportFormat string

// The formats of a report.
const (
	ReportOwn      ReportFormat = ""          // what the language reads by itself
	ReportJUnit    ReportFormat = "junit"     // JUnit XML
	ReportTAP      ReportFormat = "tap"       // the Test Anything Protocol
	ReportExitCode ReportFormat = "exit-code" // none: the exit code decides
)

// Report says where the test command leaves its results.
type Report struct {
	Format ReportFormat
	// Path is a doublestar pattern relative to the project's root, of the files
	// that the command writes. TAP without a path is read from standard output.
	Path string
}

// reader returns what reads the tests: the language's own reader, or that of
// the report that the project promises.
func (r Report) reader(own reader) reader {
	switch r.Format {
	case ReportJUnit:
		return readJUnitTest
	case ReportTAP:
		return readTAPTest
	case ReportExitCode:
		return nil
	case ReportOwn:
	}
	return own
}

// maxReports bounds how many files one run may leave.
const maxReports = 10_000

// errReports says that a project leaves more reports than can be meant.
var errReports = errors.New("too many reports")

// files lists the regular files of a directory that the pattern matches.
func (r Report) files(root *os.Root) ([]string, error) {
	base, _ := doublestar.SplitPattern(r.Path)
	var out []string
	err := fs.WalkDir(root.FS(), path.Clean(base), func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.Type().IsRegular() && doublestar.MatchUnvalidated(r.Path, name):
			out = append(out, name)
		}
		if len(out) > maxReports {
			return fmt.Errorf("%w: %s matches more than %d files", errReports, r.Path, maxReports)
		}
		return nil
	})
	return out, err
}

// clearReports removes the reports of earlier runs, so that no stale one is read.
func (b *bench) clearReports() error {
	root, err := os.OpenRoot(b.req.Dir)
	if err != nil {
		return fmt.Errorf("open the workbench: %w", err)
	}
	defer root.Close() //nolint:errcheck // nothing is written through it
	names, err := b.req.Commands.Report.files(root)
	for _, name := range names {
		err = errors.Join(err, root.Remove(name))
	}
	if err != nil {
		return fmt.Errorf("remove stale test reports: %w", err)
	}
	return nil
}

// eachReport opens every report that a run left. It returns their number.
func (b *bench) eachReport(read func(f *os.File) error) (int, error) {
	root, err := os.OpenRoot(b.req.Dir)
	if err != nil {
		return 0, fmt.Errorf("open the workbench: %w", err)
	}
	defer root.Close() //nolint:errcheck // only read
	names, err := b.req.Commands.Report.files(root)
	if err != nil {
		return 0, fmt.Errorf("find test reports: %w", err)
	}
	for _, name := range names {
		f, err := root.Open(name)
		if err != nil {
			return 0, fmt.Errorf("open a test report: %w", err)
		}
		err = errors.Join(read(f), f.Close())
		if err != nil {
			return 0, fmt.Errorf("read %s: %w", name, err)
		}
	}
	return len(names), nil
}

// reported is the report of a run whose tests were read from a file.
func reported(end ended, tests []gates.Test, gaps []gates.Diagnostic) report {
	r := report{detail: gates.DetailTest, tests: tests}
	if trouble, stopped := end.trouble(); stopped {
		r.outcome, r.diagnostics = trouble.outcome, append(trouble.diagnostics, gaps...)
		return r
	}
	r.outcome, r.diagnostics = conclude(tests, gaps, end)
	return r
}

// unwritten is the report of a run that did not write what it should.
func unwritten(end ended, path string) report {
	r := end.verdict()
	if r.outcome == gates.Passed || r.outcome == gates.Failed {
		r.outcome = gates.Crashed
		r.diagnostics = []gates.Diagnostic{{Class: gates.ClassInfra, Message: fmt.Sprintf(
			"exit code %d, and no report %s: %s", end.Exit, path, lastLine(end.Output))}}
	}
	r.detail = gates.DetailTest
	return r
}

// conclude is the outcome of a run that ended by itself: gaps in the proof mean
// that it crashed, a failure that it failed; a run in which nothing passed or
// failed is empty, and an exit code that contradicts the verdicts is a gap.
func conclude(tests []gates.Test, gaps []gates.Diagnostic, end ended) (gates.Outcome, []gates.Diagnostic) {
	var passed, failed int
	for _, t := range tests {
		switch t.Status {
		case gates.StatusPassed:
			passed++
		case gates.StatusFailed:
			failed++
		case gates.StatusSkipped:
		}
	}
	switch {
	case len(gaps) > 0:
		return gates.Crashed, gaps
	case failed > 0:
		return gates.Failed, nil
	case end.Exit != 0:
		return gates.Crashed, []gates.Diagnostic{{
			Class:   gates.ClassCrash,
			Message: fmt.Sprintf("no test failed, but the exit code is %d: %s", end.Exit, firstError(end.Output)),
		}}
	case passed == 0:
		return gates.Empty, []gates.Diagnostic{{Class: gates.ClassNoTests, Message: "no test ran"}}
	}
	return gates.Passed, nil
}

// noFact reports whether a finding means that the run did not finish: nothing
// that it shows is a fact of the tree.
func noFact(d gates.Diagnostic) bool {
	return d.Class == gates.ClassInfra || d.Class == gates.ClassCrash
}
