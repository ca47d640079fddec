package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/testrun"
)

// describe says how a project is run, and where that is set.
func (p *program) describe(project *check.Project, r *factsReport) error {
	own, err := project.Own()
	if err != nil {
		return err
	}
	r.Language = factsLanguage{Name: project.Language.Name, From: cmp.Or(p.giver("LANGUAGE", project, []string{own.Language.Name}), project.Language.FoundBy)}
	if len(own.Projects) > 0 {
		describeAll(project, r)
		return nil
	}
	c, ci := project.Parts()[0].Commands, own.CI
	for _, one := range []struct {
		name, key string
		argv      []string
		own       []string // as the tree sets it
	}{
		{"setup", "WORKBENCH_SETUP_CMD", project.Settings.Workbench.SetupCmd, own.Workbench.SetupCmd},
		{"fmt", "CI_FMT_CMD", c.Fmt, ci.FmtCmd},
		{"check", "CI_CHECK_CMD", c.Check, ci.CheckCmd},
		{"test", "CI_TEST_CMD", c.Test, ci.TestCmd},
	} {
		if len(one.argv) > 0 {
			r.Commands = append(r.Commands, ranAs(factsCommand{
				Name: one.name, Argv: one.argv, From: p.giver(one.key, project, one.own),
			}, r.ran))
		}
	}
	r.Report = string(c.Report.Format)
	return nil
}

// describeAll is describe for several projects.
func describeAll(project *check.Project, r *factsReport) {
	r.Language.From = project.File
	for _, part := range project.Parts() {
		for _, one := range []struct {
			name string
			argv []string
			own  []string
		}{
			{"fmt", part.Commands.Fmt, project.Settings.Projects[cmp.Or(part.Dir, ".")].FmtCmd},
			{"check", part.Commands.Check, project.Settings.Projects[cmp.Or(part.Dir, ".")].CheckCmd},
			{"test", part.Commands.Test, project.Settings.Projects[cmp.Or(part.Dir, ".")].TestCmd},
		} {
			if len(one.argv) == 0 {
				continue
			}
			c := factsCommand{Name: one.name, Project: part.Dir, Argv: one.argv, From: "the default of " + part.Language.Name}
			if one.own != nil {
				c.From = project.File
			}
			r.Commands = append(r.Commands, ranAs(c, r.ran))
		}
	}
}

// giver is the variable or file that sets a value; empty if neither does.
func (p *program) giver(key string, project *check.Project, own []string) string {
	if key = "GIT_TDD_" + key; envvar.Get(p.environ, key) != "" {
		return key
	}
	if strings.Join(own, "") != "" {
		return project.File
	}
	return ""
}

// ranAs adds the result of a command, if it was run.
func ranAs(c factsCommand, ran []testrun.Run) factsCommand {
	i := slices.IndexFunc(ran, func(r testrun.Run) bool { return r.Name == c.Name && r.Dir == c.Project })
	if i < 0 {
		return c
	}
	run := ran[i]
	c.Ran, c.Exit, c.DurationMS, c.TimedOut = true, run.Exit, run.Duration.Milliseconds(), run.TimedOut
	c.Output, c.Truncated = run.Output, run.Truncated
	return c
}
