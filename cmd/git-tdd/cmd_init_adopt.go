package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// adopt adds what an existing project lacks, or reports what is there.
func (i *initializer) adopt(ctx context.Context) error {
	switch name, err := i.settingsFile(ctx); {
	case err != nil:
		return err
	case name != "":
		return i.report(ctx, name)
	}
	entries, err := i.repo.Entries(ctx, i.head.Tree)
	if err != nil {
		return err
	}
	search, failed, err := i.search(ctx, entries)
	if err != nil {
		return err
	}
	several, skipped, err := search.Several()
	switch unread := failed(); {
	case unread != nil:
		return unread
	case err != nil:
		return &usageError{err.Error()}
	case len(several) > 0:
		return i.adoptSeveral(ctx, several, skipped)
	}
	c, err := search.Alone()
	switch unread := failed(); {
	case unread != nil:
		return unread
	case err != nil:
		return &usageError{err.Error()}
	case len(c.Language.Defaults.Test) == 0:
		return &usageError{"for the language " + c.Language.Name + " the tests' command must be named: commit a .tdd.yaml with\n" +
			"  language: " + c.Language.Name + "\n  ci: {test_cmd: [PROGRAM, ARGUMENT]}\nthen run git tdd trust"}
	}
	return i.adoptAlone(ctx, c)
}

// adoptAlone adds a configuration for the tree as one project.
func (i *initializer) adoptAlone(ctx context.Context, c adopt.Alone) error {
	settings := c.Settings()
	settings.CI.Timeout = i.timeout()
	i.announce(foundBy(c.Language), settings.Alone(c.Language))
	tree, result, err := i.tryAdopted(ctx, settings, c.Language)
	if err != nil {
		return err
	}
	if tree, result, err = i.namedInstead(ctx, &c, &settings, tree, result); err != nil {
		return err
	}
	if checkOnlyFails(result.Facts) {
		i.p.err.printf("left out: the check `%s` does not pass here (%s); put it into %s as ci.check_cmd once it does\n",
			strings.Join(c.Language.Defaults.Check, " "), firstComplaint(result.Facts.CheckDiagnostics), config.FileName)
		settings.CI.CheckCmd = []string{}
		if tree, result, err = i.tryAdopted(ctx, settings, c.Language); err != nil {
			return err
		}
	}
	if err := i.judgeBaseline(result, c.Language.InstallLine(c.Paths, complaints(result.Facts))); err != nil {
		return err
	}
	if err := i.believe(ctx, tree, settings.CI.TestCmd); err != nil {
		return err
	}
	guards, err := i.finish(ctx, tree, "chore: adopt git-tdd\n"+knownFailures(result.Facts))
	if err != nil {
		return err
	}
	i.p.out.printf("adopted %s: %s, by `%s`\n", i.repo.Top, c.Language.Name, strings.Join(settings.CI.TestCmd, " "))
	i.tellAlone(c)
	i.frankly(guards)
	return nil
}

// settingsFile is the configuration at HEAD; empty if it has none. One that is not
// committed is an error.
func (i *initializer) settingsFile(ctx context.Context) (string, error) {
	for _, name := range []string{config.FileName, config.AltFileName} {
		if _, ok, err := i.repo.Text(ctx, i.head.Tree, name); err != nil || ok {
			return name, err
		}
		if _, err := os.Lstat(filepath.Join(i.repo.Top, name)); err == nil {
			return "", &usageError{name + " is here but not committed; commit it (git add " + name + ", git commit), then run git tdd init again"}
		}
	}
	return "", nil
}

// tryAdopted is the project with these settings, and what its tests show.
func (i *initializer) tryAdopted(ctx context.Context, settings config.Settings, language testrun.Language) (gitx.ID, testrun.Result, error) {
	edits := []gitx.TreeEdit{{Path: config.FileName, Content: settingsText(settings)}}
	edits, err := i.addKata(ctx, settings, edits)
	if err != nil {
		return "", testrun.Result{}, err
	}
	tree, err := i.write(ctx, i.head.Tree, edits)
	if err != nil {
		return "", testrun.Result{}, err
	}
	result, _, err := i.baseline(ctx, tree, settings, settings.Alone(language))
	return tree, result, err
}

// addKata adds kata.md if the project has none: the named kata, or a form to
// fill in.
func (i *initializer) addKata(ctx context.Context, settings config.Settings, edits []gitx.TreeEdit) ([]gitx.TreeEdit, error) {
	_, there, err := i.repo.Text(ctx, i.head.Tree, settings.Kata)
	switch {
	case err != nil:
		return nil, err
	case there && i.kata != "":
		return nil, &usageError{settings.Kata + " is there already; it is not overwritten. Leave --kata out to work by it"}
	case there:
		return edits, nil
	}
	text := []byte(kataForm)
	if i.kata != "" {
		if text, err = i.p.kataText(i.kata); err != nil {
			return nil, err
		}
	}
	return append(edits, gitx.TreeEdit{Path: settings.Kata, Content: text}), nil
}

// kataForm is the form in which the goal of an adopted project is written.
const kataForm = `# What is to be built

Say in a few sentences what the next piece of work is and how it should behave.

## Acceptance criteria
`

// report says what is there, and changes nothing.
func (i *initializer) report(ctx context.Context, name string) error {
	s, err := i.p.status(ctx)
	if err != nil {
		return err
	}
	i.p.out.printf("already set up: %s is at HEAD; nothing was changed\n", name)
	i.p.showStatus(s)
	return nil
}
