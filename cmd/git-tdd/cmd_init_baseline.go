package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// finish measures the tree and commits it, and sets up the repository.
func (i *initializer) finish(ctx context.Context, tree gitx.ID, settings config.Settings, language testrun.Language, message string) error {
	if err := i.baseline(ctx, tree, settings, language); err != nil {
		return err
	}
	if err := i.commit(ctx, tree, message); err != nil {
		return err
	}
	if err := i.repo.SetConfig(ctx, "pretty.tdd", logFormat); err != nil {
		return err
	}
	return i.hooks(ctx)
}

// baseline approves the commands that init itself chose, and refuses to start
// on red.
func (i *initializer) baseline(ctx context.Context, tree gitx.ID, settings config.Settings, language testrun.Language) error {
	store, err := i.p.trustStore()
	if err != nil {
		return err
	}
	if err := store.Approve(subject(i.repo, settings, language)); err != nil {
		return err
	}
	s := &show{p: i.p}
	checker, err := i.p.checker(i.repo, "", func(name string) { i.p.err.status("baseline  " + name) })
	if err != nil {
		return err
	}
	project, err := checker.Project(ctx, tree)
	if err != nil {
		return errors.Join(err, checker.Close())
	}
	result, err := checker.Of(ctx, project, tree)
	i.p.err.quiet()
	if err = errors.Join(err, checker.Close()); err != nil {
		return err
	}
	return s.judgeBaseline(result)
}

// judgeBaseline accepts green and empty.
func (s *show) judgeBaseline(r testrun.Result) error {
	f := r.Facts
	check := f.Check == "" || f.Check == gates.Passed
	switch {
	case !f.Finished():
		return &unjudgedError{"the baseline could not be measured (" + string(f.Class()) + "), so nothing was changed\n" + lastOutput(r)}
	case check && (f.Outcome == gates.Passed || f.Outcome == gates.Empty):
		s.p.out.printf("baseline: %s\n", gates.TestsText(f))
		return nil
	}
	lines := []string{"the baseline is red (" + gates.TestsText(f) + "), so nothing was changed; make it green first"}
	for _, t := range f.With(gates.StatusFailed) {
		lines = append(lines, fmt.Sprintf("  failed: %s (%s) %s", t.ID, t.Class, firstLine(t.Message)))
	}
	for _, d := range append(f.Diagnostics, f.CheckDiagnostics...) {
		lines = append(lines, fmt.Sprintf("  %s: %s:%d %s", d.Class, d.File, d.Line, firstLine(d.Message)))
	}
	return &refusedError{strings.Join(lines, "\n")}
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
