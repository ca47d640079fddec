package testrun

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/wholefile"
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
	return map[ReportFormat]Reader{ReportOwn: own, ReportJUnit: readJUnitTest, ReportTAP: readTAPTest, ReportExitCode: nil}[r.Format]
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
func (s *Session) ClearReports() error {
	root, err := os.OpenRoot(s.Request.Dir)
	if err != nil {
		return fmt.Errorf("open the workbench: %w", err)
	}
	defer root.Close() //nolint:errcheck // nothing is written through it
	names, err := s.Request.Commands.Report.files(root)
	for _, name := range names {
		err = errors.Join(err, root.Remove(name))
	}
	if err != nil {
		return fmt.Errorf("remove stale test reports: %w", err)
	}
	return nil
}

// readReports runs the test command and reads the reports that it wrote.
func (s *Session) readReports(ctx context.Context, argv []string, read func(f *os.File, end Ended) ([]gates.Test, []gates.Diagnostic, error)) (Verdict, error) {
	if err := s.ClearReports(); err != nil {
		return Verdict{}, err
	}
	end, err := s.Run(ctx, Job{Name: "test", Argv: argv})
	if err != nil {
		return Verdict{}, err
	}
	var tests []gates.Test
	var gaps []gates.Diagnostic
	found, err := s.eachReport(&gaps, func(f *os.File) error {
		moreTests, moreGaps, err := read(f, end)
		tests, gaps = append(tests, moreTests...), append(gaps, moreGaps...)
		return err
	})
	if err != nil {
		return Verdict{}, err
	}
	if found == 0 && len(gaps) == 0 {
		return end.Unreported(gates.ClassInfra, "no report "+s.Request.Commands.Report.Path), nil
	}
	return Reported(end, tests, gaps), nil
}

// eachReport opens every report that a run left, and returns their number. That
// there are too many is a gap.
func (s *Session) eachReport(gaps *[]gates.Diagnostic, read func(f *os.File) error) (int, error) {
	root, err := os.OpenRoot(s.Request.Dir)
	if err != nil {
		return 0, fmt.Errorf("open the workbench: %w", err)
	}
	defer root.Close() //nolint:errcheck // only read
	names, err := s.Request.Commands.Report.files(root)
	if errors.Is(err, errReports) {
		*gaps = append(*gaps, gates.Diagnostic{Class: gates.ClassInfra, Message: "find test reports: " + err.Error()})
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("find test reports: %w", err)
	}
	for _, name := range names {
		f, err := wholefile.OpenIn(root, name)
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
