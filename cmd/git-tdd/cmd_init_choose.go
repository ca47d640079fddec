package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

// chosen is the language of an existing project, and what to run in it.
type chosen struct {
	language testrun.Language
	others   []testrun.Language // that were found, too
	why      string             // what a person should know of the commands
	paths    []string
}

// choose finds the language of a tree and its commands.
func (i *initializer) choose(ctx context.Context, entries []gitx.Entry) (chosen, error) {
	c := chosen{paths: make([]string, 0, len(entries))}
	for _, e := range entries {
		c.paths = append(c.paths, e.Path)
	}
	found := lang.All().Candidates(c.paths)
	src := i.sources(ctx, entries)
	switch {
	case i.language != "":
		l, err := lang.All().ByName(i.language)
		if err != nil {
			return c, &usageError{err.Error()}
		}
		c.language = l
	case len(found) == 0:
		c.language = testrun.Generic()
		if c.language.Defaults.Test, c.why = taskOf(src.Sources); c.why == "" {
			return c, errors.Join(config.ErrNoLanguage, src.failed)
		}
		return c, src.failed
	default:
		c.language = found[0]
	}
	for _, l := range found {
		if l.Name != c.language.Name {
			c.others = append(c.others, l)
		}
	}
	choice := i.runnable(c.language, src.Sources, "")
	c.language.Defaults, c.why = choice.Commands, choice.Why
	return c, src.failed
}

var (
	targetPattern = lazyregexp.New(`(?m)^(test|check)[ \t]*:(?:[^=:]|$)`)
	recipePattern = lazyregexp.New(`(?m)^@?(test|check)(?:[ \t][^:\n]*)?:(?:[^=]|$)`)
)

// taskOf is the command by which a project is tested that no language is found in: the
// target of a Makefile, or the recipe of a justfile.
func taskOf(p testrun.Sources) (argv []string, why string) {
	for _, one := range []struct {
		program string
		task    lazyregexp.Regexp
		files   []string // in the order in which the program looks for them
	}{
		{"make", targetPattern, []string{"GNUmakefile", "makefile", "Makefile"}},
		{"just", recipePattern, []string{"justfile", "Justfile", ".justfile"}},
	} {
		for _, name := range one.files {
			var tasks []string
			for _, hit := range one.task.FindAllStringSubmatch(p.Read(name), -1) {
				tasks = append(tasks, hit[1])
			}
			if len(tasks) == 0 {
				continue
			}
			argv = []string{one.program, slices.Max(tasks)} // test rather than check
			return argv, fmt.Sprintf("no language was found: `%s` of %s is the test command, and its exit code decides; `ci.report` reads what it says in TAP or JUnit XML", strings.Join(argv, " "), name)
		}
	}
	return nil, ""
}

// runnable is what to run in the project in a folder. Where the usual program of its language is not
// on PATH, a way to test it that is here counts: Debian installs gems without Bundler.
func (i *initializer) runnable(l testrun.Language, p testrun.Sources, dir string) testrun.Choice {
	choice := l.Chosen(p)
	here := func(program string) bool { return i.here(program, dir) }
	test := choice.Commands.Test
	if len(test) == 0 || strings.Contains(test[0], "/") || here(test[0]) {
		return choice
	}
	if other := l.Instead(p.Paths, here); other != nil {
		choice.Commands.Test = other
		choice.Why = fmt.Sprintf("%s is not installed here, or not on PATH: `%s` is the test command", test[0], strings.Join(other, " "))
	}
	return choice
}

// here reports whether a program is found from a folder of the project.
func (i *initializer) here(program, dir string) bool {
	return testrun.Locate(program, filepath.Join(i.repo.Top, filepath.FromSlash(dir)), i.p.environ) != ""
}

// sources are the files of HEAD, and what kept one from being read.
type sources struct {
	testrun.Sources
	failed error
}

func (i *initializer) sources(ctx context.Context, entries []gitx.Entry) *sources {
	s := &sources{}
	for _, e := range entries {
		s.Paths = append(s.Paths, e.Path)
	}
	s.Read = func(path string) string {
		text, _, err := i.repo.Text(ctx, i.head.Tree, path)
		if err != nil {
			s.failed = err
		}
		return string(text)
	}
	return s
}

// settings are the defaults, with what was chosen written out: a command that is left
// out would be the language's usual one.
func (c chosen) settings() config.Settings {
	s := settingsFor(c.language)
	if len(s.CI.CheckCmd) == 0 {
		s.CI.CheckCmd = []string{}
	}
	return s
}

// tell says what was found and chosen.
func (c chosen) tell(out *terminal) {
	if c.why != "" {
		out.printf("%s\n", clean.Text(c.why))
	}
	if len(c.others) == 0 {
		return
	}
	names := make([]string, 0, len(c.others))
	for _, l := range c.others {
		note := ""
		if l.Tested(c.paths) {
			note = ", its tests do not run"
		}
		names = append(names, fmt.Sprintf("%s (%s%s)", l.Name, clean.Text(l.FoundBy), note))
	}
	out.printf("also found: %s; git reset --keep HEAD~ and git tdd init --language NAME choose another\n", strings.Join(names, ", "))
}
