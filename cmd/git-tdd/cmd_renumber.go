package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/hooks"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

func (p *program) renumberCommand() *cli.Command {
	return &cli.Command{
		Name: "renumber", Usage: "number and measure the steps of a branch anew after a rebase", ArgsUsage: "[RANGE]",
		Description: "Step and cycle of each commit in RANGE are written as the history before it implies, and\n" +
			"what it says of its tests as they are measured now; no file changes, and nothing else\n" +
			"of a commit but its committer. RANGE ends at HEAD and holds no merge. By default it is\n" +
			"what no remote has, from the first wrong number on, after the last merge. The branch as it\n" +
			"was stays reachable.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "pushed", Usage: "also renumber what a remote-tracking branch contains"},
		},
		Action: func(c *cli.Context) error {
			return p.renumber(c.Context, renumbering{c.Args().First(), c.Bool("pushed")})
		},
	}
}

// renumbering says what to renumber.
type renumbering struct {
	revisions string // empty: what no remote has
	pushed    bool   // even what a remote has
}

// renumber copies the commits of a range with other numbers and moves the branch.
func (p *program) renumber(ctx context.Context, what renumbering) error {
	head, err := p.movable(ctx, "renumber")
	if err != nil {
		return err
	}
	commits, err := what.find(ctx, p.repo, head.Commit)
	if err != nil {
		return err
	}
	checker := p.checker(check.Options{Observer: p.waiting("the commits"), Author: check.Somebody})
	copied, err := renumbered(ctx, p.repo, checker, commits)
	p.err.quiet()
	if err = errors.Join(err, checker.Close()); err != nil {
		return p.inHistory(ctx, err)
	}
	tip := copied[len(copied)-1].ID
	if tip == head.Commit {
		p.out.printf("%s, each as the history implies\n", gates.Count(len(copied), "commit"))
		return nil
	}
	kept := undoneRefs + head.Commit.Short()
	if err := keepUndone(ctx, p.repo, kept, head.Commit); err != nil {
		return err
	}
	if err := p.repo.Land(ctx, gitx.Landing{Branch: head.Branch, Old: head.Commit, New: tip, Log: strings.TrimSpace("tdd: renumber " + what.revisions)}); err != nil {
		return fmt.Errorf("renumber: %w", err)
	}
	for _, c := range copied {
		if text := c.changed(); text != "" {
			p.out.printf("%s  %s  %s\n", c.Short(), text, c.subject)
		}
	}
	p.out.printf("the branch as it was: %s\n", kept)
	return nil
}

// renumberedCommit is a commit with the step that it said and says.
type renumberedCommit struct {
	gitx.ID
	subject string
	was, is gates.Step
}

// changed says what a commit says otherwise; empty if nothing.
func (c renumberedCommit) changed() string {
	var parts []string
	if c.was.Number != c.is.Number || c.was.Cycle != c.is.Cycle {
		parts = append(parts, fmt.Sprintf("step %d → %d, cycle %d → %d", c.was.Number, c.is.Number, c.was.Cycle, c.is.Cycle))
	}
	if c.was.Tests != c.is.Tests {
		parts = append(parts, c.was.Tests+" → "+c.is.Tests)
	} else if !sameTests(c.was, c.is) {
		parts = append(parts, "other tests fail, or for other reasons")
	}
	return strings.Join(parts, "; ")
}

// sameTests reports whether two steps say the same of their tests.
func sameTests(a, b gates.Step) bool {
	return a.Tests == b.Tests && slices.Equal(a.Red, b.Red) && slices.Equal(a.Acceptance, b.Acceptance) && slices.Equal(a.Accepted, b.Accepted)
}

// renumbered copies commits where what they say of their step, or what is below them, changed.
func renumbered(ctx context.Context, repo *gitx.Repo, checker *check.Checker, commits []gitx.Commit) ([]renumberedCommit, error) {
	tip := commits[0].Parents[0]
	pos, err := check.FindPosition(ctx, repo, tip)
	if err != nil {
		return nil, err
	}
	var out []renumberedCommit
	for _, c := range commits {
		m := commitmsg.Parse(c.Message)
		now := renumberedCommit{ID: c.ID, subject: m.Subject}
		was, step := gates.ParseStep(m)
		want := following(pos, c, was)
		if step {
			now.was = was
			if now.is, err = measured(ctx, checker, c, tip, want); err != nil {
				return nil, fmt.Errorf("measure %s: %w", c.ID.Short(), err)
			}
		}
		if c.Parents[0] != tip || now.changed() != "" {
			now.ID, err = repo.CommitTree(ctx, gitx.NewCommit{
				Tree: c.Tree, Parents: []gitx.ID{tip}, Author: gitx.IdentOf(c.Author), Date: c.Date, Message: now.reword(c.Message), Encoding: c.Encoding,
			})
			if err != nil {
				return nil, fmt.Errorf("renumber %s: %w", c.ID.Short(), err)
			}
		}
		if tip = now.ID; step {
			pos = gates.Position{Commit: string(tip), Step: now.is}
		}
		out = append(out, now)
	}
	return out, nil
}

// measured is a step with what the tests of its commit show on top of a parent.
// Where nothing says how they are run, or the commit is refused before that, it says
// what it said: that is for verify to tell.
func measured(ctx context.Context, checker *check.Checker, c gitx.Commit, parent gitx.ID, step gates.Step) (gates.Step, error) {
	j, err := checker.Judge(ctx, check.Proposal{
		Parent: parent, Tree: c.Tree, Message: c.Message, Agent: step.Model != "", Plain: true,
		Compose: func(s gates.Step, _ *gates.Case) string { return hooks.Trailed(c.Message, s) },
	})
	if errors.Is(err, config.ErrNoLanguage) || err == nil && j.After.Facts.Outcome == "" {
		return step, nil
	}
	step.Tests, step.Red, step.Acceptance, step.Accepted = j.Step.Tests, j.Step.Red, j.Step.Acceptance, j.Step.Accepted
	return step, err
}

// reword writes a message with the step as it is.
func (c renumberedCommit) reword(message string) string {
	if message = numbered(message, [2]int{c.is.Number, c.is.Cycle}); sameTests(c.was, c.is) {
		return message
	}
	return hooks.Trailed(message, c.is)
}

// following is the step that a commit should be, with all else that it says.
func following(pos gates.Position, c gitx.Commit, was gates.Step) gates.Step {
	plays := gates.Role("")
	if header, err := commitmsg.ParseHeader(commitmsg.Parse(c.Message).Subject); err == nil {
		plays = gates.RoleOf(header.Type)
	}
	next := pos.Following(was.Role, plays)
	if was.Phase == gates.PhaseCycle {
		next = pos.Together(was.Role)
	}
	was.Number, was.Cycle = next.Number, next.Cycle
	return was
}

var (
	stepTrailerPattern  = lazyregexp.New(`(?mi)^(tdd-step[ \t]*:[ \t]*)\S.*$`)
	cycleTrailerPattern = lazyregexp.New(`(?mi)^(tdd-cycle[ \t]*:[ \t]*)\S.*$`)
)

// numbered is a message with other numbers in its last trailers of that kind: a
// line further up that only looks like one is no trailer.
func numbered(message string, stepAndCycle [2]int) string {
	for i, pattern := range []lazyregexp.Regexp{stepTrailerPattern, cycleTrailerPattern} {
		all := pattern().FindAllStringSubmatchIndex(message, -1)
		if n := stepAndCycle[i]; len(all) > 0 && n > 0 {
			last := all[len(all)-1]
			message = message[:last[3]] + strconv.Itoa(n) + message[last[1]:]
		}
	}
	return message
}

// find lists the commits of a range that may be copied, the oldest first.
func (what renumbering) find(ctx context.Context, repo *gitx.Repo, head gitx.ID) ([]gitx.Commit, error) {
	ids, err := what.list(ctx, repo, head)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(ids, head) {
		return nil, usage(quote(what.revisions) + " does not end at HEAD; name a range that does, such as main..HEAD")
	}
	commits, err := what.line(ctx, repo, ids)
	if err == nil && what.revisions == "" {
		commits, err = misnumbered(ctx, repo, commits)
	}
	if err == nil && !what.pushed {
		err = unpublished(ctx, repo, commits[0].ID, "--pushed renumbers it all the same")
	}
	return commits, err
}

// misnumbered are the commits from the first one whose number does not follow; all of them if each does.
func misnumbered(ctx context.Context, repo *gitx.Repo, commits []gitx.Commit) ([]gitx.Commit, error) {
	pos, err := check.FindPosition(ctx, repo, commits[0].Parents[0])
	for i, c := range commits {
		was, step := gates.ParseStep(commitmsg.Parse(c.Message))
		if !step {
			continue
		}
		if want := following(pos, c, was); want.Number != was.Number || want.Cycle != was.Cycle {
			return commits[i:], err
		}
		pos = gates.Position{Commit: string(c.ID), Step: was}
	}
	return commits, err
}

// list lists the commits of the range.
func (what renumbering) list(ctx context.Context, repo *gitx.Repo, head gitx.ID) ([]gitx.ID, error) {
	if what.revisions != "" {
		ids, err := repo.List(ctx, what.revisions)
		if err != nil {
			err = usage(fmt.Sprintf("%s cannot be read as a range (%v); name one that ends at HEAD, such as main..HEAD", quote(what.revisions), err))
		}
		return ids, err
	}
	ids, err := repo.Unpublished(ctx, head, "refs/remotes")
	if err == nil && len(ids) == 0 {
		err = usage("a remote has every commit of this branch, so others may build on them; --pushed renumbers a RANGE all the same, such as main..HEAD")
	}
	return ids, err
}

// line are the commits of a range, if they lie in one line; without a range, those behind
// the last merge.
func (what renumbering) line(ctx context.Context, repo *gitx.Repo, ids []gitx.ID) ([]gitx.Commit, error) {
	var commits []gitx.Commit
	for _, id := range ids {
		c, err := repo.Commit(ctx, string(id))
		switch {
		case err != nil:
			return nil, err
		case len(c.Parents) == 1:
			commits = append(commits, c)
		case what.revisions == "":
			commits = nil
		default:
			return nil, usage(fmt.Sprintf("%s has %d parents; name a range after it, such as main..HEAD", c.ID.Short(), len(c.Parents)))
		}
	}
	if len(commits) == 0 {
		return nil, usage("HEAD is a merge or the first commit: there is nothing to number anew")
	}
	return commits, nil
}
