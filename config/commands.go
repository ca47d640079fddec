package config

import (
	"errors"
	"maps"
	"slices"
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
	l := testrun.Generic()
	if s.Language.Name != "" {
		named, err := known.Describe(s.Language.description())
		if err != nil {
			return testrun.Language{}, err
		}
		l = named.For(paths)
	} else if detected, found := known.Detect(paths); found {
		l = detected
	}
	if len(s.Commands(l).Test) == 0 {
		return testrun.Language{}, ErrNoLanguage
	}
	return l, nil
}

// NeedsPaths reports whether Resolve uses the paths of the tree: it does if no
// language is named, or one whose test command depends on the project's files.
func (s Settings) NeedsPaths(known testrun.Languages) bool {
	if len(s.Projects) == 0 {
		l, err := known.Describe(s.Language.description())
		return s.Language.Name == "" || err == nil && len(l.Variants) > 0 && s.CI.TestCmd == nil
	}
	return slices.ContainsFunc(slices.Collect(maps.Values(s.Projects)), func(p Project) bool {
		l, err := known.ByName(p.Language)
		return err == nil && len(l.Variants) > 0 && p.TestCmd == nil
	})
}
