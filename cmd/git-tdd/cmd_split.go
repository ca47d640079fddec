package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/envvar"
)

func (p *program) splitCommand() *cli.Command {
	return &cli.Command{
		Name: "split", Usage: "make red and green of tests and code that came together",
		Description: "What is staged or, if nothing is, the last commit becomes the commits that the rules ask\n" +
			"for: configuration (chore:), its tests (test:), its code (feat: or fix:); of a refactor:\n" +
			"its tests are those of a characterization. Each is judged as `git commit` would have it\n" +
			"judged. Only the branch moves, and only if all of them hold: files and index stay as they\n" +
			"are, and so does what is not staged. The last commit as it was stays reachable.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "message", Aliases: []string{"m"}, Usage: "the `MESSAGE` of the code's commit; what is staged needs one, the last commit has its own"},
			&cli.BoolFlag{Name: "pushed", Usage: "also split what a remote-tracking branch contains"},
		},
		Action: func(c *cli.Context) error {
			s := splitter{program: p, message: c.String("message"), pushed: c.Bool("pushed")}
			return s.split(c.Context)
		},
	}
}

// splitter takes a change apart.
type splitter struct {
	*program

	message string
	pushed  bool // even what a remote has

	checker *check.Checker
	head    gitx.Head
	last    bool    // the change is that of the last commit
	parent  gitx.ID // the commit before it
	before  gitx.ID // what that holds
	tree    gitx.ID // what it ends in
	// author has whoever made it, and when.
	author gitx.NewCommit
}

// split makes the commits that a change should have been, and moves the branch.
func (s *splitter) split(ctx context.Context) (err error) {
	if err := s.find(ctx); err != nil {
		return err
	}
	s.checker = s.program.checker(check.Options{Observer: s.waiting("the parts"), Evidence: gates.EvidenceChanged})
	defer func() { err = errors.Join(err, s.checker.Close()) }()
	if !s.last {
		if s.author, err = s.authored(ctx); err != nil {
			return err
		}
	}
	parts, err := s.take(ctx)
	s.err.quiet()
	if err != nil || len(parts) == 0 {
		return err
	}
	return s.land(ctx, parts)
}

// find finds the change, and refuses what cannot be taken apart.
func (s *splitter) find(ctx context.Context) (err error) {
	if s.head, err = s.movable(ctx, "split"); err != nil {
		return err
	}
	s.tree, err = s.repo.StagedTree(ctx, nil)
	if failed, ok := errors.AsType[*gitx.Error](err); ok {
		return usage(fmt.Sprintf("what is staged is no tree: %v", failed))
	}
	if err != nil {
		return err
	}
	s.parent, s.before = s.head.Commit, s.head.Tree
	if s.last = s.tree == s.head.Tree; s.last {
		return s.findLast(ctx)
	}
	if s.message == "" {
		return usage("what is staged needs a message: git tdd split -m 'feat: …'; to split the last commit, unstage it first: git restore --staged :/")
	}
	return nil
}

// findLast makes the change that of the last commit.
func (s *splitter) findLast(ctx context.Context) error {
	last, err := s.repo.Commit(ctx, string(s.head.Commit))
	if err != nil {
		return err
	}
	s.message, s.author = cmp.Or(s.message, last.Message), gitx.NewCommit{Author: gitx.IdentOf(last.Author), Date: last.Date}
	switch len(last.Parents) {
	case 0:
		return usage("nothing is staged, and " + last.ID.Short() + " has no commit before it (in a shallow clone: git fetch --unshallow): nothing shows what its tests say of it")
	case 1:
		s.parent = last.Parents[0]
	default:
		return usage("nothing is staged, and " + last.ID.Short() + " is a merge: a merge takes no step")
	}
	before, err := s.repo.Commit(ctx, string(s.parent))
	if s.before = before.Tree; err != nil || s.pushed {
		return err
	}
	return unpublished(ctx, s.repo, last.ID, "--pushed splits it all the same")
}

// authored is who made what is staged: the user.
func (s *splitter) authored(ctx context.Context) (gitx.NewCommit, error) {
	rules, err := s.checker.Settings(ctx, s.before)
	if err != nil {
		return gitx.NewCommit{}, err
	}
	now := gitx.NewCommit{
		Author: gitx.Ident{Name: envvar.Get(s.environ, "GIT_AUTHOR_NAME"), Mail: envvar.Get(s.environ, "GIT_AUTHOR_EMAIL")},
		Date:   envvar.Get(s.environ, "GIT_AUTHOR_DATE"),
	}
	if now.ByUser = now.Author.Name == "" || now.Author.Mail == ""; now.ByUser {
		c := rules.Settings.Commit
		now.Author = gitx.Ident{Name: c.AuthorName, Mail: c.AuthorEmail}
	}
	return now, nil
}

// land makes the accepted commits and moves the branch to the last of them. No file
// and no entry of the index moves with it: they hold its tree already.
func (s *splitter) land(ctx context.Context, parts []part) error {
	tip := s.parent
	var lines strings.Builder
	for _, part := range parts {
		c := s.author
		c.Tree, c.Parents, c.Message = part.tree, []gitx.ID{tip}, part.judged.Message
		id, err := s.repo.CommitTree(ctx, c)
		if err != nil {
			return err
		}
		step := "no step"
		if n := part.judged.Step; n.Number > 0 {
			step = fmt.Sprintf("step %d %s", n.Number, n.Phase)
		}
		fmt.Fprintf(&lines, "%s  %s  %s\n", id.Short(), pad(step, 12), firstLine(part.judged.Message))
		tip = id
	}
	kept := undoneRefs + s.head.Commit.Short()
	if s.last {
		if err := keepUndone(ctx, s.repo, kept, s.head.Commit); err != nil {
			return err
		}
	}
	move := gitx.RefUpdate{Name: s.head.Branch, New: tip, Old: s.head.Commit, Log: "tdd: split into " + gates.Count(len(parts), "commit")}
	if err := s.repo.UpdateRef(ctx, move); err != nil {
		return fmt.Errorf("split: %w", err)
	}
	s.out.printf("%s", lines.String())
	if s.last {
		s.out.printf("the branch as it was: %s\n", kept)
	}
	return nil
}

// refuse says which part does not hold, and why.
func (s *splitter) refuse(p part) error {
	what := cmp.Or(map[bool]string{false: "could not be judged"}[p.judged.Verdict.Judged], "would be refused")
	s.err.printf("%s %s\n", s.err.paint(red, "git tdd:"), s.err.folded(quote(firstLine(p.message))+" "+what+", so nothing was changed", len("git tdd: ")))
	s.err.findings("  ", p.judged.Verdict.Findings)
	if way := p.wayOut(); way != "" {
		s.err.below("  → ", way)
	}
	if !p.judged.Verdict.Judged {
		return unjudged("the change could not be judged")
	}
	return refused("")
}
