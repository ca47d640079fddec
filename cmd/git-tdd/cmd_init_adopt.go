package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

// adopt adds what an existing project lacks, or reports what is there.
func (i *initializer) adopt(ctx context.Context) error {
	for _, name := range []string{config.FileName, config.AltFileName} {
		if _, ok, err := i.repo.Text(ctx, i.head.Tree, name); err != nil || ok {
			return errors.Join(err, i.report(ctx, name))
		}
		if _, err := os.Lstat(filepath.Join(i.repo.Top, name)); err == nil {
			return &usageError{name + " is here but not committed; commit it (git add " + name + ", git commit), then run git tdd init again"}
		}
	}
	entries, err := i.repo.Entries(ctx, i.head.Tree)
	if err != nil {
		return err
	}
	language, err := i.find(entries)
	if err != nil {
		return err
	}
	if len(language.Defaults.Test) == 0 {
		return &usageError{"for the language " + language.Name + " the tests' command must be named: commit a .tdd.yaml with\n" +
			"  language: " + language.Name + "\n  ci: {test_cmd: [PROGRAM, ARGUMENT]}\nthen run git tdd trust"}
	}
	settings := settingsFor(language)
	edits := []gitx.TreeEdit{{Path: config.FileName, Content: config.Render(settings)}}
	if edits, err = i.addKata(ctx, settings, edits); err != nil {
		return err
	}
	tree, err := i.repo.WriteTree(ctx, i.head.Tree, edits)
	if err != nil {
		return err
	}
	if err := i.finish(ctx, tree, settings, language, "chore: adopt git-tdd\n"); err != nil {
		return err
	}
	i.p.out.printf("adopted %s: %s, by `%s`\n", clean(i.repo.Top), language.Name, clean(strings.Join(settings.Commands(language).Test, " ")))
	i.hints(settings)
	return nil
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
		if text, err = i.kataText(); err != nil {
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

func (i *initializer) find(entries []gitx.Entry) (testrun.Language, error) {
	paths := make([]string, 0, len(entries))
	for _, e := range entries {
		paths = append(paths, e.Path)
	}
	if i.language != "" {
		l, err := lang.All().ByName(i.language)
		if err != nil {
			return l, &usageError{err.Error()}
		}
		return l.For(paths), nil
	}
	if l, ok := lang.All().Detect(paths); ok {
		return l, nil
	}
	return testrun.Language{}, config.ErrNoLanguage
}

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
