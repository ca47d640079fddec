package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

// projectsFound are the projects of a tree.
type projectsFound struct {
	chosen  []candidate // none: the whole tree is one project
	skipped []testrun.Found
}

// candidate is a project that was found, and how it is to be tested.
type candidate struct {
	testrun.Found
	set   config.Project
	test  []string
	why   string   // what a person should know of its commands
	paths []string // of its files, from its folder
}

// key is the folder as the configuration writes it.
func (c candidate) key() string { return cmp.Or(c.Dir, ".") }

// find finds the projects of a tree that has several, or one in a folder.
func (i *initializer) find(ctx context.Context, entries []gitx.Entry) (projectsFound, error) {
	src := i.sources(ctx, entries)
	folder, err := i.folder()
	if err != nil {
		return projectsFound{}, err
	}
	chosen, skipped := i.wanted(lang.All().Find(src.Sources), folder)
	out := projectsFound{skipped: skipped}
	switch {
	case folder != "" && len(chosen) == 0:
		f, err := i.foundIn(src.Sources, folder)
		if err != nil {
			return out, err
		}
		chosen = append(chosen, f)
	case len(chosen) == 0, len(chosen) == 1 && chosen[0].Dir == "":
		return projectsFound{}, src.failed
	}
	reads := testrun.Reads(src.Sources, chosen)
	for _, f := range chosen {
		c := i.newCandidate(src.Sources, f, chosen)
		if c.set.Reads = reads[f.Dir]; len(c.set.Reads) == 0 {
			c.set.Reads = nil
		}
		out.chosen = append(out.chosen, c)
	}
	return out, src.failed
}

// wanted picks the projects with tests, of the language and in the folder that were
// named, if any were.
func (i *initializer) wanted(all []testrun.Found, folder string) (chosen, skipped []testrun.Found) {
	for _, f := range all {
		if f.Tested && (i.language == "" || i.language == f.Language.Name) && (folder == "" || f.Dir == folder || strings.HasPrefix(f.Dir, folder+"/")) {
			chosen = append(chosen, f)
		} else {
			skipped = append(skipped, f)
		}
	}
	return chosen, skipped
}

// folder is the folder that was named, in the repository; empty where that is all of
// it.
func (i *initializer) folder() (string, error) {
	if !i.named {
		return "", nil
	}
	dir, err := filepath.EvalSymlinks(i.dir)
	if err != nil {
		return "", fmt.Errorf("read the folder: %w", err)
	}
	top, err := filepath.EvalSymlinks(i.repo.Top)
	if err != nil {
		return "", fmt.Errorf("read the folder: %w", err)
	}
	rel, err := filepath.Rel(top, dir)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return "", nil //nolint:nilerr // the repository is elsewhere
	}
	return filepath.ToSlash(rel), nil
}

// foundIn makes a project of a folder that no marker shows to be one.
func (i *initializer) foundIn(src testrun.Sources, folder string) (testrun.Found, error) {
	f := testrun.Found{Dir: folder, By: folder}
	own := src.In(testrun.Folder{Dir: folder})
	if i.language != "" {
		l, err := lang.All().ByName(i.language)
		if err != nil {
			return f, &usageError{err.Error()}
		}
		f.Language = l
		return f, nil
	}
	found := lang.All().Candidates(own.Paths)
	if len(found) == 0 {
		return f, &usageError{"nothing in " + folder + " says how it is tested; name its language: git tdd init --language NAME " + folder}
	}
	f.Language, f.By = found[0], folder+"/"+found[0].FoundBy
	return f, nil
}

// newCandidate finds the commands of a project. Those that are its language's usual
// ones are left out.
func (i *initializer) newCandidate(src testrun.Sources, f testrun.Found, all []testrun.Found) candidate {
	at := testrun.Folder{Dir: f.Dir}
	for _, o := range all {
		if o.Dir != f.Dir && (f.Dir == "" || strings.HasPrefix(o.Dir, f.Dir+"/")) {
			at.Inner = append(at.Inner, o.Dir)
		}
	}
	own := src.In(at)
	choice, usual := i.runnable(f.Language, own, f.Dir), f.Language.For(own.Paths).Defaults
	c := candidate{Found: f, why: choice.Why, paths: own.Paths, test: choice.Commands.Test}
	c.set.Language = f.Language.Name
	c.set.TestCmd, c.set.CheckCmd, c.set.FmtCmd = unlike(choice.Commands.Test, usual.Test), unlike(choice.Commands.Check, usual.Check), unlike(choice.Commands.Fmt, usual.Fmt)
	return c
}

// unlike is a command, if it is not the usual one.
func unlike(argv, usual []string) []string {
	if slices.Equal(argv, usual) {
		return nil
	}
	return append([]string{}, argv...)
}

// adoptSeveral adds a configuration with the projects that can be measured here.
func (i *initializer) adoptSeveral(ctx context.Context, found projectsFound) error {
	for {
		settings := config.Default()
		settings.CI.Timeout = i.timeout()
		settings.Projects = map[string]config.Project{}
		for _, c := range found.chosen {
			settings.Projects[c.key()] = c.set
		}
		t, err := i.trySeveral(ctx, settings)
		if err != nil {
			return err
		}
		if i.mend(&found, t) {
			continue
		}
		if err := i.judgeBaseline(t.all, ""); err != nil {
			return err
		}
		if err := i.believe(ctx, t.tree, nil); err != nil {
			return err
		}
		if err := i.finish(ctx, t.tree, "chore: adopt git-tdd\n"+knownFailures(t.all.Facts)); err != nil {
			return err
		}
		i.tellSeveral(found, settings)
		return nil
	}
}

// trial is a tree with some settings, and what its projects show.
type trial struct {
	tree gitx.ID
	all  testrun.Result
	each []testrun.Result // in the order of the folders
}

func (i *initializer) trySeveral(ctx context.Context, settings config.Settings) (t trial, err error) {
	edits, err := i.addKata(ctx, settings, []gitx.TreeEdit{{Path: config.FileName, Content: config.Render(settings)}})
	if err != nil {
		return t, err
	}
	if t.tree, err = i.repo.WriteTree(ctx, i.head.Tree, edits); err != nil {
		return t, err
	}
	entries, err := i.repo.Entries(ctx, t.tree)
	if err != nil {
		return t, err
	}
	projects, err := settings.Split(lang.All(), pathsOf(entries))
	if err != nil {
		return t, err
	}
	t.all, t.each, err = i.baseline(ctx, t.tree, settings, projects)
	return t, err
}

func pathsOf(entries []gitx.Entry) []string {
	out := make([]string, len(entries))
	for n, e := range entries {
		out[n] = e.Path
	}
	return out
}

// mend leaves out what cannot be measured here, and checks that do not pass. It
// reports whether there was anything; nothing is left out if that would be all.
func (i *initializer) mend(found *projectsFound, t trial) (again bool) {
	byFolder := slices.Clone(found.chosen) // as the settings order them
	slices.SortFunc(byFolder, func(a, b candidate) int { return cmp.Compare(a.key(), b.key()) })
	var rest []candidate
	var notes []string
	for n, c := range byFolder {
		f := t.each[n].Facts
		switch {
		case !f.Finished() && !checkOnlyFails(f):
			notes = append(notes, fmt.Sprintf("left out: %s (%s) could not be measured here (%s: %s)%s", c.key(), c.Language.Name, f.Class(), firstComplaint(slices.Concat(f.Diagnostics, f.CheckDiagnostics)), c.remedy(f)))
			continue
		case f.Outcome == gates.Empty:
			notes = append(notes, fmt.Sprintf("left out: no test ran in %s (%s)", c.key(), c.Language.Name))
			continue
		case f.Detail == gates.DetailExitCode && t.all.Facts.Detail == gates.DetailExitCode && len(byFolder) > 1:
			notes = append(notes, fmt.Sprintf("left out: the tests in %s (%s) cannot be told apart, only the exit code", c.key(), c.Language.Name))
			continue
		case checkOnlyFails(f):
			notes = append(notes, fmt.Sprintf("left out: the check in %s does not pass here (%s)", c.key(), firstComplaint(f.CheckDiagnostics)))
			c.set.CheckCmd, again = []string{}, true
		}
		rest = append(rest, c)
	}
	if len(rest) == 0 {
		return false
	}
	for _, text := range notes {
		i.p.err.printf("%s\n", clean.Text(text))
	}
	again = again || len(rest) < len(byFolder)
	found.chosen = rest
	for n := range found.chosen {
		var reads []string
		for _, dir := range found.chosen[n].set.Reads {
			if slices.ContainsFunc(rest, func(o candidate) bool { return o.Dir == dir }) {
				reads = append(reads, dir)
			}
		}
		found.chosen[n].set.Reads = reads
	}
	return again
}

// remedy is how a project that was left out for what it showed is taken in later.
func (c candidate) remedy(f gates.Facts) string {
	how := ""
	if install := c.Language.InstallLine(c.paths, complaints(f)); install != "" {
		if c.Dir != "" {
			install = "cd " + c.Dir + " && " + install
		}
		how = "run `" + install + "`, then "
	}
	return fmt.Sprintf("; %swrite it under projects in %s: `%s: {language: %s}`", how, config.FileName, c.key(), c.Language.Name)
}

// tellSeveral says what was chosen, what was found beside it, and how to choose
// otherwise.
func (i *initializer) tellSeveral(found projectsFound, settings config.Settings) {
	i.p.out.printf("adopted %s: %s\n", i.repo.Top, count(len(found.chosen), "project"))
	for _, c := range found.chosen {
		i.p.out.printf("  %s  %s, by %s: %s\n", clean.Text(c.key()), c.Language.Name, clean.Text(c.By), clean.Text(strings.Join(c.test, " ")))
		if c.why != "" {
			i.p.out.printf("    %s\n", clean.Text(c.why))
		}
		if len(c.set.Reads) > 0 {
			i.p.out.printf("    reads %s\n", clean.Text(strings.Join(c.set.Reads, ", ")))
		}
	}
	for _, f := range found.skipped {
		why := "not asked for"
		if !f.Tested {
			why = "no tests"
		}
		i.p.out.printf("  not taken: %s  %s, by %s (%s)\n", clean.Text(cmp.Or(f.Dir, ".")), f.Language.Name, clean.Text(f.By), why)
	}
	i.p.out.printf("to choose otherwise, edit projects in %s, commit that as chore:, and run git tdd trust\n", config.FileName)
	i.hints(settings)
}
