package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// namedInstead looks for another command where the chosen one names no test: one that is
// likely, is here, and names tests that pass. Without one, all stays as it is.
func (i *initializer) namedInstead(ctx context.Context, c *adopt.Alone, settings *config.Settings, tree gitx.ID, result testrun.Result) (gitx.ID, testrun.Result, error) {
	if result.Facts.Detail != gates.DetailExitCode {
		return tree, result, nil
	}
	tried := settings.CI.TestCmd
	for _, argv := range c.Language.Others(c.Paths, tried) {
		if !i.p.here(i.repo)(argv[0], "") {
			continue
		}
		other := *settings
		other.CI.TestCmd = argv
		there, got, err := i.tryAdopted(ctx, other, c.Language)
		if err != nil {
			return there, got, err
		}
		if f := got.Facts; f.Detail == gates.DetailTest && (f.Outcome == gates.Passed || i.known && f.Outcome == gates.Failed) {
			*settings = other
			c.Why = fmt.Sprintf("`%s` names no test, and `%s` does", strings.Join(tried, " "), strings.Join(argv, " "))
			return there, got, nil
		}
	}
	return i.tryAdopted(ctx, *settings, c.Language) // which is what was approved last
}

// believe refuses a baseline that cannot fail: one that is known by an exit code alone,
// which is the same where no source holds any code. Without tests there is nothing yet
// that could fail.
func (i *initializer) believe(ctx context.Context, tree gitx.ID, argv []string) (err error) {
	checker, err := i.p.checker(i.repo, check.UseRecord, i.p.waiting("what the exit code is worth"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, checker.Close()) }()
	project, err := checker.Project(ctx, tree)
	if err != nil {
		return err
	}
	deaf, _, err := checker.Hears(ctx, project, tree)
	i.p.err.quiet()
	if err != nil || len(deaf) == 0 {
		return err
	}
	command := "the test command"
	if len(argv) > 0 {
		command = "`" + strings.Join(argv, " ") + "`"
	}
	seen := fmt.Sprintf("%s succeeds even if there is no code in any source (%s), so its exit code shows nothing", command, few(deaf))
	if !slices.ContainsFunc(project.Entries, func(e gitx.Entry) bool { return project.Language.Kind(e.Path) == gates.KindTest }) {
		i.p.err.printf("warning: %s yet\n", seen)
		return nil
	}
	return &refusedError{seen + ", and nothing was changed;\n" +
		"commit a " + config.FileName + " that names the command which runs the tests, then run git tdd trust:\n" +
		"  language: " + project.Language.Name + "\n  ci: {test_cmd: [PROGRAM, ARGUMENT]}"}
}

// few are the first of some paths, and how many more there are.
func few(paths []string) string {
	const most = 3
	if more := len(paths) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(paths[:most], ", "), more)
	}
	return strings.Join(paths, ", ")
}
