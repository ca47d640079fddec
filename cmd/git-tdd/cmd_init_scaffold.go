package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/katas"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

// scaffold makes a project, its kata and its first commit.
func (i *initializer) scaffold(ctx context.Context) error {
	language, err := i.whichLanguage(ctx)
	if err != nil {
		return err
	}
	files, err := language.Scaffold.Make(filepath.Base(i.repo.Top))
	if err != nil {
		return err
	}
	text, err := i.whichKata(ctx)
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
		gitx.TreeEdit{Path: config.FileName, Content: settingsText(settings)})
	tree, err := i.write(ctx, "", edits)
	if err != nil {
		return err
	}
	started, message := katas.Title(text), "chore: start the kata "+katas.Title(text)+"\n"
	if i.kata == "" {
		started, message = "a project", "chore: start a "+language.Name+" project\n"
	}
	i.announce("an empty folder: a "+language.Name+" project starts here", settings.Alone(language))
	result, _, err := i.baseline(ctx, tree, settings, settings.Alone(language))
	if err == nil {
		err = i.judgeBaseline(result, installs)
	}
	if err != nil {
		return err
	}
	guards, err := i.finish(ctx, tree, message)
	i.made = nil // there is a commit now
	if err != nil {
		return err
	}
	i.p.out.printf("started %s: %s in %s, kata in %s\n", started, language.Name, i.repo.Top, settings.Kata)
	if installs != "" {
		i.p.out.printf("not checked yet by `%s`: run `%s`, take the line check_cmd out of %s,\n"+
			"  commit that (git commit -am 'chore: check the types'), then run git tdd trust\n",
			strings.Join(language.Defaults.Check, " "), installs, config.FileName)
	}
	i.frankly(guards)
	return nil
}

// scaffolds are the languages that an empty project can be made in.
func scaffolds() []string {
	var known []string
	for _, l := range lang.All() {
		if l.Scaffold.Exists() {
			known = append(known, l.Name)
		}
	}
	slices.Sort(known)
	return known
}

// withScaffold finds one of them.
func withScaffold(name string) (testrun.Language, error) {
	name, known := strings.ToLower(strings.TrimSpace(name)), scaffolds()
	if !slices.Contains(known, name) {
		return testrun.Language{}, &usageError{"no empty project can be made in " + quote(name) + meant(name, known) + "; there are " + strings.Join(known, ", ")}
	}
	return lang.All().ByName(name)
}

// whichLanguage is the language of a new project: the one that was named, or the answer
// of whoever sits at the terminal.
func (i *initializer) whichLanguage(ctx context.Context) (testrun.Language, error) {
	if i.language != "" {
		return withScaffold(i.language)
	}
	if !i.p.asks() {
		return testrun.Language{}, &usageError{"this folder is empty, and there is no terminal to ask on: say what to start\n" +
			"  git tdd init --language NAME [--kata NAME|FILE]\n" +
			"  languages: " + strings.Join(scaffolds(), ", ") + "\n" +
			"  katas: " + strings.Join(kataNames(), ", ")}
	}
	return asked(ctx, i.p, "This folder is empty. Which language ("+strings.Join(scaffolds(), ", ")+")?", withScaffold)
}

// whichKata is the kata of a new project: the one that was named, or the answer of
// whoever sits at the terminal; without either a form to fill in.
func (i *initializer) whichKata(ctx context.Context) ([]byte, error) {
	read := func(name string) ([]byte, error) {
		if i.kata = strings.TrimSpace(name); i.kata == "" {
			return []byte(kataForm), nil
		}
		return i.p.kataText(i.kata)
	}
	if i.kata != "" || !i.p.asks() {
		return read(i.kata)
	}
	return asked(ctx, i.p, "Which kata ("+strings.Join(kataNames(), ", ")+", or a Markdown file)?\nEnter for none: kata.md is then a form for what you want to build.", read)
}

// settingsOf are the settings of a new project.
func (i *initializer) settingsOf(language testrun.Language) config.Settings {
	s := adopt.Alone{Language: language, Usual: language.Defaults}.Settings()
	if i.settings != nil {
		s = i.settings(s)
	}
	if language.Scaffold.Install != "" {
		s.CI.CheckCmd = []string{} // what it needs is not installed yet
	}
	return s
}
