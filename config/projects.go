package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
)

// rootFolder is how a project of the whole tree, but for the other projects, is
// written.
const rootFolder = "."

// Split returns the projects of a tree of these paths: those that the settings name,
// or the one that all of the tree is. Without any test command the error is
// ErrNoLanguage.
func (s Settings) Split(known testrun.Languages, paths []string) (testrun.Projects, error) {
	if len(s.Projects) == 0 {
		l, err := s.Resolve(known, paths)
		if err != nil {
			return nil, err
		}
		return s.Alone(l), nil
	}
	var out testrun.Projects
	for _, folder := range slices.Sorted(maps.Keys(s.Projects)) {
		p, err := s.project(known, paths, folder)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// Alone is the only project of a tree, in a language.
func (s Settings) Alone(l testrun.Language) testrun.Projects {
	return testrun.Projects{{Language: l, Commands: s.Commands(l)}}
}

// project is one of several, in a folder.
func (s Settings) project(known testrun.Languages, paths []string, folder string) (testrun.Project, error) {
	set := s.Projects[folder]
	p := testrun.Project{}
	if folder != rootFolder {
		p.Dir = folder
	}
	for _, other := range slices.Sorted(maps.Keys(s.Projects)) {
		inside := other != folder && (p.Dir == "" || strings.HasPrefix(other, p.Dir+"/"))
		if inside {
			p.Inner = append(p.Inner, other)
		}
		around := other == rootFolder || strings.HasPrefix(folder, other+"/")
		if other != folder && !around && !slices.Contains(set.Reads, other) {
			p.Unseen = append(p.Unseen, other)
		}
	}
	l, err := known.ByName(set.Language)
	if err != nil {
		return p, fmt.Errorf("projects.%s: %w", folder, err)
	}
	p.Language = l.For(testrun.Sources{Paths: paths}.In(p.Folder).Paths)
	ci := CI{TestCmd: set.TestCmd, CheckCmd: set.CheckCmd, FmtCmd: set.FmtCmd, Report: set.Report, Timeout: s.CI.Timeout}
	p.Commands = Settings{CI: ci}.Commands(p.Language)
	if len(p.Commands.Test) == 0 {
		return p, fmt.Errorf("projects.%s: %w", folder, ErrNoLanguage)
	}
	return p, nil
}

// projectFolder checks the folder of a project.
func projectFolder(s string) string {
	if s == rootFolder {
		return ""
	}
	return treePath(s)
}

// checkProjects requires that each project has a language, and that what only one
// project can have is said there.
func (r *reader) checkProjects(s Settings, known []string) {
	if len(s.Projects) == 0 {
		return
	}
	for _, alone := range []struct {
		path  string
		given bool
	}{
		{"language.name", s.Language.Name != ""},
		{"language", !s.Language.Bare()},
		{"ci.test_cmd", s.CI.TestCmd != nil},
		{"ci.check_cmd", s.CI.CheckCmd != nil},
		{"ci.fmt_cmd", s.CI.FmtCmd != nil},
		{"ci.report", s.CI.Report != ""},
	} {
		if alone.given {
			r.object(alone.path, fault{seen: "a setting of one project, beside projects", remedy: "write it under the project that it is for"})
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(s.Projects)) {
		p, path := s.Projects[folder], "projects."+folder
		if !slices.Contains(known, p.Language) {
			r.object(path+".language", fault{seen: "no language that is known", remedy: oneOf(known...)(p.Language)})
		}
		for _, other := range p.Reads {
			if _, there := s.Projects[other]; !there || other == folder {
				r.object(path+".reads", fault{seen: "no other project " + printable(other), remedy: "name folders that are projects; what is in none is there in any case"})
			}
		}
	}
}

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
		named, err := known.Describe(s.Language)
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
		l, err := known.Describe(s.Language)
		return s.Language.Name == "" || err == nil && len(l.Variants) > 0 && s.CI.TestCmd == nil
	}
	return slices.ContainsFunc(slices.Collect(maps.Values(s.Projects)), func(p Project) bool {
		l, err := known.ByName(p.Language)
		return err == nil && len(l.Variants) > 0 && p.TestCmd == nil
	})
}
