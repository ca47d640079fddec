package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/hooks"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

// finish commits the tree, and sets up the repository.
func (i *initializer) finish(ctx context.Context, tree gitx.ID, message string) ([]hooks.Hook, error) {
	if err := i.commit(ctx, tree, message); err != nil {
		return nil, err
	}
	if err := i.repo.SetConfig(ctx, "pretty.tdd", logFormat); err != nil {
		return nil, err
	}
	return i.installed(ctx)
}

// baseline approves the commands that init itself chose, and measures the tree.
func (i *initializer) baseline(ctx context.Context, tree gitx.ID, settings config.Settings, projects testrun.Projects) (all testrun.Result, each []testrun.Result, err error) {
	store, err := i.p.trustStore()
	if err != nil {
		return all, nil, err
	}
	if err := store.Approve(subject(i.repo, settings, projects)); err != nil {
		return all, nil, err
	}
	each, recorded, err := i.measure(ctx, tree, projects, check.UseRecord)
	all = check.Join(tree, each)
	if red := !slices.Contains([]gates.Outcome{gates.Passed, gates.Empty}, all.Facts.Outcome); err == nil && recorded && red && !i.known {
		each, _, err = i.measure(ctx, tree, projects, check.Anew) // what it lacked may be installed by now
		all = check.Join(tree, each)
	}
	return all, each, err
}

// measure measures a tree, and warns of tools that are not what its projects ask for.
// recorded is set if all was on record.
func (i *initializer) measure(ctx context.Context, tree gitx.ID, projects testrun.Projects, fresh check.Fresh) (each []testrun.Result, recorded bool, err error) {
	checker, err := i.p.checker(i.repo, fresh, i.p.waiting("the baseline"))
	if err != nil {
		return nil, false, err
	}
	project, err := checker.Project(ctx, tree)
	if err != nil {
		return nil, false, errors.Join(err, checker.Close())
	}
	each, err = checker.Each(ctx, project, tree)
	i.p.err.quiet()
	if entry, ok := project.Known(ctx, tree); ok && err == nil {
		var all []string
		all, err = unmet(ctx, i.repo, tree, projects, entry.Toolchain)
		there, failed := elsewhere(ctx, i.repo, tree, project.Parts(), project.Settings.Workbench)
		all, err = append(all, there...), errors.Join(err, failed)
		for _, text := range all {
			if !slices.Contains(i.warned, text) {
				i.p.err.printf("warning: %s\n", text)
			}
		}
		i.warned = append(i.warned, all...)
	}
	return each, checker.Count() == 0, errors.Join(err, checker.Close())
}

// judgeBaseline accepts green and empty, and failing tests where they were said to be
// known. install is the line that installs what the project depends on.
func (i *initializer) judgeBaseline(r testrun.Result, install string) error {
	f := r.Facts
	check := f.Check == "" || f.Check == gates.Passed
	switch {
	case !f.Finished():
		return &unjudgedError{i.unmeasured(r, install)}
	case check && f.Outcome == gates.Empty:
		if !i.empty {
			i.p.err.printf("warning: no test ran; if there are tests, name their command in %s as ci.test_cmd\n", config.FileName)
		}
		fallthrough
	case check && f.Outcome == gates.Passed:
		i.p.out.printf("baseline: %s\n", gates.TestsText(f))
		return nil
	case check && i.known && f.Outcome == gates.Failed && f.Detail == gates.DetailTest:
		i.p.out.printf("baseline: %s; what fails is known, and no step needs it\n", gates.TestsText(f))
		return nil
	}
	return &refusedError{redBaseline(f)}
}

// checkOnlyFails reports whether the tests can be judged and the check does not pass.
func checkOnlyFails(f gates.Facts) bool {
	return f.Check != "" && f.Check != gates.Passed && f.Complete()
}

// firstComplaint is the first of some complaints, in one line.
func firstComplaint(all []gates.Diagnostic) string {
	if len(all) == 0 {
		return "it says nothing"
	}
	return clean.Text(firstLine(all[0].Message))
}

// complaints is all that a run complained of.
func complaints(f gates.Facts) string {
	var b strings.Builder
	for _, d := range append(f.Diagnostics, f.CheckDiagnostics...) {
		b.WriteString(d.Message + "\n")
	}
	return b.String()
}

// unmeasured says why a baseline could not be measured, and what to do.
func (i *initializer) unmeasured(r testrun.Result, install string) string {
	f := r.Facts
	lines := []string{"the baseline could not be measured (" + string(f.Class()) + "), so nothing was changed"}
	lines = append(lines, diagnosticLines(f)...)
	if class := f.Class(); install != "" && (class == gates.ClassInfra || class == gates.ClassRunnerMissing) {
		lines = append(lines, "install what the project depends on, then run git tdd init again:", "  "+install)
	}
	if f.Class() == gates.ClassTimeout {
		lines = append(lines, "if the tests need longer, give them more time; "+config.FileName+" keeps it as ci.timeout:",
			fmt.Sprintf("  GIT_TDD_CI_TIMEOUT=%.0fm git tdd init", math.Ceil(3*i.timeout().Minutes())))
	}
	return strings.Join(append(slices.Compact(lines), lastOutput(r)), "\n")
}

// timeout is how long a command may take: what the environment gives init is written
// down, so that those who come later have it too.
func (i *initializer) timeout() time.Duration {
	s, err := config.Parse(nil, i.p.environ, lang.All())
	if err != nil {
		return config.Default().CI.Timeout // what is wrong with the environment is told by who reads the settings
	}
	return s.CI.Timeout
}

// redBaseline says what fails, and how to go on.
func redBaseline(f gates.Facts) string {
	lines := []string{"the baseline is red (" + gates.TestsText(f) + "), so nothing was changed; make it green first"}
	if f.Outcome == gates.Failed && f.Detail == gates.DetailTest {
		lines[0] += ",\nor adopt it as it is: git tdd init --known-failures"
	}
	var failed []string
	for _, t := range f.With(gates.StatusFailed) {
		failed = append(failed, fmt.Sprintf("  failed: %s (%s) %s", t.ID, t.Class, firstLine(gates.Cause(t.Message))))
	}
	return strings.Join(slices.Concat(lines, first(failed), diagnosticLines(f)), "\n")
}

// diagnosticLines are the complaints, a line each.
func diagnosticLines(f gates.Facts) []string {
	var lines []string
	for _, d := range slices.Concat(f.Diagnostics, f.CheckDiagnostics) {
		lines = append(lines, diagnosticLine(d))
	}
	return first(lines)
}

// first are the first lines of a list, and how many more there are.
func first(lines []string) []string {
	const most = 20
	if more := len(lines) - most; more > 0 {
		return append(lines[:most:most], fmt.Sprintf("  and %d more", more))
	}
	return lines
}

// diagnosticLine is a complaint in one line.
func diagnosticLine(d gates.Diagnostic) string {
	at := d.File
	if d.File != "" && d.Line > 0 {
		at = fmt.Sprintf("%s:%d", d.File, d.Line)
	}
	return strings.TrimRight("  "+strings.TrimSuffix(fmt.Sprintf("%s: %s", d.Class, at), " ")+" "+firstLine(d.Message), " ")
}

// knownFailures is the part of a message that lists what fails already.
func knownFailures(f gates.Facts) string {
	var lines []string
	for _, t := range f.With(gates.StatusFailed) {
		lines = append(lines, fmt.Sprintf("- %s (%s)\n", t.ID, t.Class))
	}
	if len(lines) == 0 {
		return ""
	}
	return "\nKnown failures:\n" + strings.Join(lines, "")
}

func lastOutput(r testrun.Result) string {
	if len(r.Runs) == 0 {
		return ""
	}
	lines := strings.Split(strings.TrimRight(r.Runs[len(r.Runs)-1].Output, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-10):], "\n")
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// commit makes init's commit, in the user's own name, and lands it.
func (i *initializer) commit(ctx context.Context, tree gitx.ID, message string) error {
	lock, err := i.repo.Lock(ctx, "git tdd init")
	if err != nil {
		return err
	}
	author := config.Default().Commit
	c := gitx.NewCommit{Tree: tree, Message: message, Author: gitx.Ident{Name: author.AuthorName, Mail: author.AuthorEmail}, ByUser: true}
	if !i.head.Unborn() {
		c.Parents = []gitx.ID{i.head.Commit}
	}
	id, err := i.repo.CommitTree(ctx, c)
	if err == nil {
		err = i.repo.Land(ctx, gitx.Landing{Branch: i.head.Branch, Old: i.head.Commit, New: id, Log: "tdd: init"})
	}
	return errors.Join(err, lock.Release())
}
