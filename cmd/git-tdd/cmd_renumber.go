package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

func (p *program) renumberCommand() *cli.Command {
	return &cli.Command{
		Name: "renumber", Usage: "number the steps of a branch anew, after a rebase onto others", ArgsUsage: "[RANGE]",
		Description: "Step and cycle of each commit in RANGE (default @{upstream}..HEAD) are written as the\n" +
			"history before it implies; nothing else of a commit changes, and no file. RANGE ends at\n" +
			"HEAD and holds no merge. The branch as it was stays reachable.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "pushed", Usage: "also renumber what a remote-tracking branch contains"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() > 1 {
				return &usageError{"renumber takes one range, such as main..HEAD"}
			}
			revisions := c.Args().First()
			if revisions == "" {
				revisions = "@{upstream}..HEAD"
			}
			return p.renumber(c.Context, renumbering{revisions, c.Bool("pushed")})
		},
	}
}

// renumbering says what to renumber.
type renumbering struct {
	revisions string
	pushed    bool // even what a remote has
}

// renumber copies the commits of a range with other numbers and moves the branch.
func (p *program) renumber(ctx context.Context, what renumbering) (err error) {
	w, err := p.work(ctx, "renumber", nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	head, commits, err := what.find(ctx, w.repo)
	if err != nil {
		return err
	}
	copied, err := renumbered(ctx, w.repo, commits)
	if err != nil {
		return err
	}
	tip := copied[len(copied)-1].ID
	if tip == head.Commit {
		p.out.printf("the steps of %s are numbered as the history implies\n", what.revisions)
		return nil
	}
	kept := undoneRefs + head.Commit.Short()
	if err := keepUndone(ctx, w.repo, kept, head.Commit); err != nil {
		return err
	}
	if err := w.repo.Land(ctx, gitx.Landing{Branch: head.Branch, Old: head.Commit, New: tip, Log: "tdd: renumber " + what.revisions}); err != nil {
		return fmt.Errorf("renumber: %w", err)
	}
	for _, c := range copied {
		if c.was != c.is {
			p.out.printf("%s  step %d → %d, cycle %d → %d  %s\n", c.Short(), c.was[0], c.is[0], c.was[1], c.is[1], c.subject)
		}
	}
	p.out.printf("the branch as it was: %s\n", kept)
	return nil
}

// renumberedCommit is a commit with the step and cycle that it had and has.
type renumberedCommit struct {
	gitx.ID
	subject string
	was, is [2]int
}

// renumbered copies commits where their numbers, or what is below them, changed.
func renumbered(ctx context.Context, repo *gitx.Repo, commits []gitx.Commit) ([]renumberedCommit, error) {
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
			now.was, now.is = [2]int{was.Number, was.Cycle}, [2]int{want.Number, want.Cycle}
		}
		if now.was != now.is || c.Parents[0] != tip {
			now.ID, err = repo.Reword(ctx, c.ID, []gitx.ID{tip}, func(text string) string { return numbered(text, now.is) })
			if err != nil {
				return nil, fmt.Errorf("renumber %s: %w", c.ID.Short(), err)
			}
		}
		if tip = now.ID; step {
			pos = gates.Position{Commit: string(tip), Step: want}
		}
		out = append(out, now)
	}
	return out, nil
}

// following is the step that a commit should be, with all else that it says.
func following(pos gates.Position, c gitx.Commit, was gates.Step) gates.Step {
	plays := gates.Role("")
	if header, err := commitmsg.ParseHeader(commitmsg.Parse(c.Message).Subject); err == nil {
		plays = gates.RoleOf(header.Type)
	}
	next := pos.Following(was.Role, plays)
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
	for i, pattern := range []*lazyregexp.Regexp{&stepTrailerPattern, &cycleTrailerPattern} {
		all := pattern.FindAllStringSubmatchIndex(message, -1)
		if n := stepAndCycle[i]; len(all) > 0 && n > 0 {
			last := all[len(all)-1]
			message = message[:last[3]] + strconv.Itoa(n) + message[last[1]:]
		}
	}
	return message
}

// find lists the commits of a range that may be copied, the oldest first.
func (what renumbering) find(ctx context.Context, repo *gitx.Repo) (gitx.Head, []gitx.Commit, error) {
	head, err := repo.Head(ctx)
	if err != nil {
		return head, nil, err
	}
	if head.Unborn() || head.Detached() {
		return head, nil, &usageError{"renumber moves a branch, and there is none here; `git switch` to the branch first"}
	}
	if underway := repo.Underway(); underway != "" {
		return head, nil, &usageError{fmt.Sprintf("a %[1]s is under way; finish it, or give it up with `git %[1]s --abort`, then renumber", underway)}
	}
	ids, err := repo.List(ctx, what.revisions)
	if err != nil {
		return head, nil, &usageError{fmt.Sprintf("%s cannot be read as a range (%v); name one that ends at HEAD, such as main..HEAD", quote(what.revisions), err)}
	}
	if len(ids) == 0 || !slices.Contains(ids, head.Commit) {
		return head, nil, &usageError{quote(what.revisions) + " does not end at HEAD; name a range that does, such as main..HEAD"}
	}
	var commits []gitx.Commit
	for _, id := range ids {
		c, err := repo.Commit(ctx, string(id))
		if err != nil {
			return head, nil, err
		}
		if len(c.Parents) != 1 {
			return head, nil, &usageError{fmt.Sprintf("%s has %d parents; renumber what comes after it", c.ID.Short(), len(c.Parents))}
		}
		commits = append(commits, c)
	}
	if what.pushed {
		return head, commits, nil
	}
	remotes, err := repo.Containing(ctx, commits[0].ID, "refs/remotes")
	if err == nil && len(remotes) > 0 {
		err = &usageError{fmt.Sprintf("%s is on %s already, so others may build on it; --pushed renumbers it all the same", commits[0].ID.Short(), remotes[0])}
	}
	return head, commits, err
}
