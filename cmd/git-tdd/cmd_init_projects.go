package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

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

// adoptSeveral adds a configuration with the projects that can be measured here.
func (i *initializer) adoptSeveral(ctx context.Context, chosen []adopt.Project, skipped []adopt.Found) error {
	for {
		settings := adopt.Settings(chosen)
		settings.CI.Timeout = i.timeout()
		t, err := i.trySeveral(ctx, settings)
		if err != nil {
			return err
		}
		if i.mend(&chosen, t) {
			continue
		}
		if err := i.judgeBaseline(t.all, ""); err != nil {
			return err
		}
		if err := i.believe(ctx, t.tree, nil); err != nil {
			return err
		}
		guards, err := i.finish(ctx, t.tree, "chore: adopt git-tdd\n"+knownFailures(t.all.Facts))
		if err != nil {
			return err
		}
		i.tellSeveral(chosen, skipped)
		i.frankly(guards)
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
	edits, err := i.addKata(ctx, settings, []gitx.TreeEdit{{Path: config.FileName, Content: settingsText(settings)}})
	if err != nil {
		return t, err
	}
	if t.tree, err = i.write(ctx, i.head.Tree, edits); err != nil {
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
	i.announce(count(len(projects), "project"), projects)
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
func (i *initializer) mend(found *[]adopt.Project, t trial) (again bool) {
	byFolder := slices.Clone(*found) // as the settings order them
	slices.SortFunc(byFolder, func(a, b adopt.Project) int { return cmp.Compare(a.Key(), b.Key()) })
	var rest []adopt.Project
	var notes []string
	for n, c := range byFolder {
		f := t.each[n].Facts
		switch {
		case !f.Finished() && !checkOnlyFails(f):
			notes = append(notes, fmt.Sprintf("left out: %s (%s) could not be measured here (%s: %s)%s", c.Key(), c.Language.Name, f.Class(), firstComplaint(slices.Concat(f.Diagnostics, f.CheckDiagnostics)), remedy(c, f)))
			continue
		case f.Outcome == gates.Empty:
			notes = append(notes, fmt.Sprintf("left out: no test ran in %s (%s)", c.Key(), c.Language.Name))
			continue
		case f.Detail == gates.DetailExitCode && t.all.Facts.Detail == gates.DetailExitCode && len(byFolder) > 1:
			notes = append(notes, fmt.Sprintf("left out: the tests in %s (%s) cannot be told apart, only the exit code", c.Key(), c.Language.Name))
			continue
		case checkOnlyFails(f):
			notes = append(notes, fmt.Sprintf("left out: the check in %s does not pass here (%s)", c.Key(), firstComplaint(f.CheckDiagnostics)))
			c.Set.CheckCmd, again = []string{}, true
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
	*found = adopt.Only(rest, func(adopt.Project) bool { return true })
	return again
}

// remedy is how a project that was left out for what it showed is taken in later.
func remedy(c adopt.Project, f gates.Facts) string {
	how := ""
	if install := c.Language.InstallLine(c.Paths, complaints(f)); install != "" {
		if c.Dir != "" {
			install = "cd " + c.Dir + " && " + install
		}
		how = "run `" + install + "`, then "
	}
	return fmt.Sprintf("; %swrite it under projects in %s: `%s: {language: %s}`", how, config.FileName, c.Key(), c.Language.Name)
}

// tellSeveral says what was chosen, what was found beside it, and how to choose
// otherwise.
func (i *initializer) tellSeveral(chosen []adopt.Project, skipped []adopt.Found) {
	i.p.out.printf("adopted %s: %s\n", i.repo.Top, count(len(chosen), "project"))
	for _, c := range chosen {
		i.p.out.printf("  %s  %s, by %s: %s\n", clean.Text(c.Key()), c.Language.Name, clean.Text(c.By), clean.Text(strings.Join(c.Test, " ")))
		if c.Why != "" {
			i.p.out.printf("    %s\n", clean.Text(c.Why))
		}
		if len(c.Set.Reads) > 0 {
			i.p.out.printf("    reads %s\n", clean.Text(strings.Join(c.Set.Reads, ", ")))
		}
	}
	for _, f := range skipped {
		why := "not asked for"
		if !f.Tested {
			why = "no tests"
		}
		i.p.out.printf("  not taken: %s  %s, by %s (%s)\n", clean.Text(cmp.Or(f.Dir, ".")), f.Language.Name, clean.Text(f.By), why)
	}
	i.p.out.printf("to choose otherwise, edit projects in %s, commit that as chore:, and run git tdd trust\n", config.FileName)
}
