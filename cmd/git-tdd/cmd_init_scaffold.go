package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/katas"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/nearest"
	"github.com/git-tdd/git-tdd/testrun"
)

// scaffold makes a project, its kata and its first commit.
func (i *initializer) scaffold(ctx context.Context) error {
	if i.language == "" {
		i.language = defaultLanguage
	}
	language, err := withScaffold(i.language)
	if err != nil {
		return err
	}
	files, err := language.Scaffold.Make(filepath.Base(i.repo.Top))
	if err != nil {
		return err
	}
	if i.kata == "" {
		i.kata = defaultKata
	}
	text, err := i.p.kataText(i.kata)
	if err != nil {
		return err
	}
	installs := language.Scaffold.Install
	settings := i.settingsOf(language)
	var edits []gitx.TreeEdit
	for _, f := range files {
		edits = append(edits, gitx.TreeEdit{Path: f.Path, Content: f.Content})
	}
	edits = append(edits,
		gitx.TreeEdit{Path: settings.Kata, Content: text},
		gitx.TreeEdit{Path: config.FileName, Content: config.Render(settings)})
	tree, err := i.repo.WriteTree(ctx, "", edits)
	if err != nil {
		return err
	}
	message := "chore: start the kata " + katas.Title(text) + "\n"
	result, _, err := i.baseline(ctx, tree, settings, settings.Alone(language))
	if err == nil {
		err = i.judgeBaseline(result, installs)
	}
	if err != nil {
		return err
	}
	err = i.finish(ctx, tree, message)
	i.made = nil // there is a commit now
	if err != nil {
		return err
	}
	i.p.out.printf("started %s: %s in %s, kata in %s\n", katas.Title(text), language.Name, i.repo.Top, settings.Kata)
	if installs != "" {
		i.p.out.printf("not checked yet by `%s`: run `%s`, take the line check_cmd out of %s,\n"+
			"  commit that (git commit -am 'chore: check the types'), then run git tdd trust\n",
			strings.Join(language.Defaults.Check, " "), installs, config.FileName)
	}
	i.hints(settings)
	return nil
}

// withScaffold finds a language that an empty project can be made in.
func withScaffold(name string) (testrun.Language, error) {
	var known []string
	for _, l := range lang.All() {
		if l.Name == strings.ToLower(strings.TrimSpace(name)) && l.Scaffold.Exists() {
			return l, nil
		}
		if l.Scaffold.Exists() {
			known = append(known, l.Name)
		}
	}
	slices.Sort(known)
	meant := ""
	if near := nearest.Of(strings.ToLower(name), known); near != "" {
		meant = "did you mean " + near + "? "
	}
	return testrun.Language{}, &usageError{fmt.Sprintf("no empty project can be made in %s; %sknown are %s", quote(name), meant, strings.Join(known, ", "))}
}

// settingsOf are the settings of a new project.
func (i *initializer) settingsOf(language testrun.Language) config.Settings {
	s := adopt.Alone{Language: language}.Settings()
	if i.settings != nil {
		s = i.settings(s)
	}
	if language.Scaffold.Install != "" {
		s.CI.CheckCmd = []string{} // what it needs is not installed yet
	}
	return s
}
