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
func (r Report) reader(own Reader) Reader {
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

// ClearReports removes the reports of earlier runs, so that no stale one is read.
func (b *Session) ClearReports() error {
	root, err := os.OpenRoot(b.Request.Dir)
	if err != nil {
		return fmt.Errorf("open the workbench: %w", err)
	}
	defer root.Close() //nolint:errcheck // nothing is written through it
	names, err := b.Request.Commands.Report.files(root)
	for _, name := range names {
		err = errors.Join(err, root.Remove(name))
	}
	if err != nil {
		return fmt.Errorf("remove stale test reports: %w", err)
	}
	return nil
}

// eachReport opens every report that a run left. It returns their number.
func (b *Session) eachReport(read func(f *os.File) error) (int, error) {
	root, err := os.OpenRoot(b.Request.Dir)
	if err != nil {
		return 0, fmt.Errorf("open the workbench: %w", err)
	}
	defer root.Close() //nolint:errcheck // only read
	names, err := b.Request.Commands.Report.files(root)
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

// Reported is the report of a run whose tests were read from a file.
func Reported(end Ended, tests []gates.Test, gaps []gates.Diagnostic) Verdict {
	r := Verdict{Detail: gates.DetailTest, Tests: tests}
	if trouble, stopped := end.Trouble(); stopped {
		r.Outcome, r.Diagnostics = trouble.Outcome, append(trouble.Diagnostics, gaps...)
		return r
	}
	r.Outcome, r.Diagnostics = Conclude(tests, gaps, end)
	return r
}

// unwritten is the report of a run that did not write what it should.
func unwritten(end Ended, path string) Verdict {
	r := end.Verdict()
	if r.Outcome == gates.Passed || r.Outcome == gates.Failed {
		r.Outcome = gates.Crashed
		r.Diagnostics = []gates.Diagnostic{{Class: gates.ClassInfra, Message: fmt.Sprintf(
			"exit code %d, and no report %s: %s", end.Exit, path, LastLine(end.Output))}}
	}
	r.Detail = gates.DetailTest
	return r
}

// Conclude is the outcome of a run that ended by itself: gaps in the proof mean
// that it crashed, a failure that it failed; a run in which nothing passed or
// failed is empty, and an exit code that contradicts the verdicts is a gap.
func Conclude(tests []gates.Test, gaps []gates.Diagnostic, end Ended) (gates.Outcome, []gates.Diagnostic) {
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
			Message: fmt.Sprintf("no test failed, but the exit code is %d: %s", end.Exit, FirstError(end.Output)),
		}}
	case passed == 0:
		return gates.Empty, []gates.Diagnostic{{Class: gates.ClassNoTests, Message: "no test ran"}}
	}
	return gates.Passed, nil
}

// NoFact reports whether a finding means that the run did not finish: nothing
// that it shows is a fact of the tree.
func NoFact(d gates.Diagnostic) bool {
	return d.Class == gates.ClassInfra || d.Class == gates.ClassCrash
}
