package config

import (
	"errors"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
)

// ErrNoLanguage says that nothing shows how a project is tested.
var ErrNoLanguage = errors.New(
	"nothing says how this project is tested; write language: NAME, or for one that is not known ci.test_cmd: [PROGRAM, ARGUMENT]")

// Commands returns the commands of the project: its own if it names them, the
// language's otherwise. An empty command means that there is none.
func (s Settings) Commands(l testrun.Language) testrun.Commands {
	c := l.Defaults
	if s.CI.TestCmd != nil {
		c.Test = s.CI.TestCmd
	}
	if s.CI.CheckCmd != nil {
		c.Check = s.CI.CheckCmd
	}
	if s.CI.FmtCmd != nil {
		c.Fmt = s.CI.FmtCmd
	}
	c.Timeout = s.CI.Timeout
	c.Report = reportOf(s.CI.Report)
	return c
}

// The reports that are no files.
const (
	reportTAP      = string(testrun.ReportTAP)      // on standard output
	reportExitCode = string(testrun.ReportExitCode) // none: the exit code decides
)

// reportOf is the report that a setting names: its files say by their names what they are.
func reportOf(set string) testrun.Report {
	switch {
	case set == "":
		return testrun.Report{}
	case set == reportTAP || set == reportExitCode:
		return testrun.Report{Format: testrun.ReportFormat(set)}
	case strings.HasSuffix(set, ".xml"):
		return testrun.Report{Format: testrun.ReportJUnit, Path: set}
	}
	return testrun.Report{Format: testrun.ReportTAP, Path: set}
}

// Resolve returns the language of the project: the one that the settings name,
// or the one found from the paths of a tree, or otherwise the generic one,
// which judges the test command by its exit code. Without any test command the
// error is ErrNoLanguage.
func (s Settings) Resolve(known testrun.Languages, paths []string) (testrun.Language, error) {
	l, err := s.language(known, paths)
	if err == nil && len(s.Commands(l).Test) == 0 {
		err = ErrNoLanguage
	}
	if err != nil {
		return testrun.Language{}, err
	}
	return l, nil
}

// NeedsPaths reports whether Resolve uses the paths of the tree: it does if no
// language is named, or one whose test command depends on the project's files.
func (s Settings) NeedsPaths(known testrun.Languages) bool {
	for _, p := range s.Projects {
		if l, err := known.ByName(p.Language); err == nil && len(l.Variants) > 0 && p.TestCmd == nil {
			return true
		}
	}
	if len(s.Projects) > 0 {
		return false
	}
	if s.Language.Name == "" {
		return true
	}
	l, err := known.Describe(s.Language.description())
	return err == nil && len(l.Variants) > 0 && s.CI.TestCmd == nil
}

func (s Settings) language(known testrun.Languages, paths []string) (testrun.Language, error) {
	if s.Language.Name != "" {
		l, err := known.Describe(s.Language.description())
		return l.For(paths), err
	}
	if l, found := known.Detect(paths); found {
		return l, nil
	}
	return testrun.Generic(), nil
}
