package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/clean"
)

// undoing says what to undo.
type undoing struct {
	steps  int  // how many; 0 means the last run
	pushed bool // even what a remote has
}

func (p *program) undoCommand() *cli.Command {
	return &cli.Command{
		Name: "undo", Usage: "take back the last step (or a whole run), losing nothing", ArgsUsage: "[N]",
		Description: "The branch goes back to before its last N steps (default 1), with whatever was\n" +
			"committed after them. The last run is the unbroken chain of commits at the end of\n" +
			"the branch that models made under one author's name. Your uncommitted work stays as it is; what was\n" +
			"undone stays reachable, and the output says by which command it comes back.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "run", Usage: "take back the last run"},
			&cli.BoolFlag{Name: "pushed", Usage: "also take back what a remote-tracking branch contains"},
		},
		Action: func(c *cli.Context) error {
			what := undoing{steps: 1, pushed: c.Bool("pushed")}
			switch n, err := strconv.Atoi(c.Args().First()); {
			case c.NArg() == 1 && c.Bool("run"):
				return usage("undo takes one number of steps, or --run")
			case c.Bool("run"):
				what.steps = 0
			case c.NArg() == 1 && (err != nil || n < 1):
				return usage("undo takes a number of steps from 1, not " + quote(c.Args().First()))
			case c.NArg() == 1:
				what.steps = n
			}
			return p.undo(c.Context, what)
		},
	}
}

// undo moves the branch and the user's files back, in the same crash-safe way in which steps land.
func (p *program) undo(ctx context.Context, what undoing) error {
	head, err := p.movable(ctx, "undo")
	if err != nil {
		return err
	}
	undone, err := chain(ctx, p.repo, head.Commit, what)
	if err != nil {
		return err
	}
	oldest := undone[len(undone)-1]
	if len(oldest.Parents) == 0 {
		return usage("the history begins with " + oldest.ID.Short() + ", so there is nothing to go back to (in a shallow clone: git fetch --unshallow)")
	}
	if !what.pushed {
		err = unpublished(ctx, p.repo, oldest.ID, "revert it there (git revert), or undo it here with --pushed")
	}
	if err != nil {
		return err
	}
	back := oldest.Parents[0]
	kept := undoneRefs + string(head.Commit[:12])
	if err := keepUndone(ctx, p.repo, kept, head.Commit); err != nil {
		return err
	}
	log := "tdd: undo " + gates.Count(len(undone), "commit")
	if err := p.repo.Land(ctx, gitx.Landing{Branch: head.Branch, Old: head.Commit, New: back, Log: log}); err != nil {
		return fmt.Errorf("undo: %w", err)
	}
	for _, c := range undone {
		p.out.printf("undone  %s %s\n", c.ID.Short(), commitmsg.Parse(c.Message).Subject)
	}
	p.out.printf("%s is at %s again; to bring back what was undone: git merge --ff-only %s\n", head.Name(), back.Short(), kept)
	return nil
}

// chain lists the commits to undo, the newest first. It ends with a step.
func chain(ctx context.Context, repo *gitx.Repo, head gitx.ID, what undoing) ([]gitx.Commit, error) {
	var commits []gitx.Commit
	steps, last := 0, 0 // last: how many commits it takes to reach the oldest step to undo
	err := repo.Walk(ctx, string(head), func(c gitx.Commit) bool {
		m := commitmsg.Parse(c.Message)
		if what.steps == 0 && !sameRun(commits, c, m) {
			return false
		}
		commits = append(commits, c)
		if _, ok := gates.ParseStep(m); ok {
			steps, last = steps+1, len(commits)
		}
		return what.steps == 0 || steps < what.steps
	})
	switch {
	case err != nil:
		return nil, err
	case what.steps == 0 && last == 0:
		return nil, usage("the branch does not end in a run: its last commit is no model's; `git tdd undo N` takes back N steps with what follows them")
	case steps < what.steps:
		return nil, usage(fmt.Sprintf("this history has %s; there is nothing else to undo", gates.Count(steps, "step")))
	}
	return commits[:last], nil
}

// sameRun reports whether a commit still belongs to the run at the end of the
// branch: a model made it, and its author is the same as those above it.
func sameRun(above []gitx.Commit, c gitx.Commit, m commitmsg.Message) bool {
	if len(above) > 0 && c.Author != above[0].Author {
		return false
	}
	_, model := m.Get(gates.KeyModel)
	outcome, _ := m.Get(gates.KeyOutcome)
	return model || len(above) == 0 && gates.Special(outcome) == gates.Complete
}

// movable locks the repository, and is HEAD, if a command may move its branch.
func (p *program) movable(ctx context.Context, what string) (gitx.Head, error) {
	if err := p.lock(ctx, what); err != nil {
		return gitx.Head{}, err
	}
	head, err := p.repo.Head(ctx)
	switch underway := p.repo.Underway(); {
	case err != nil:
		return head, err
	case underway != "":
		return head, usage(fmt.Sprintf("a %[1]s is under way; finish it, or give it up with `git %[1]s --abort`, then %[2]s", underway, what))
	case head.Unborn() || head.Detached():
		return head, usage(what + " moves a branch, and there is none here; `git switch` to the branch, or make its first commit, then " + what)
	}
	return head, nil
}

// unpublished refuses to replace a commit that others may have seen. otherwise says what to do.
func unpublished(ctx context.Context, repo *gitx.Repo, id gitx.ID, otherwise string) error {
	remotes, err := repo.Containing(ctx, id, "refs/remotes")
	if err != nil || len(remotes) == 0 {
		return err
	}
	return usage(fmt.Sprintf("%s is on %s already, so others may build on it; %s", id.Short(), strings.TrimPrefix(remotes[0], "refs/remotes/"), otherwise))
}

// undoneRefs are the refs that keep undone commits reachable.
const undoneRefs = "refs/tdd/undone/"

// keepUndone keeps a commit reachable.
func keepUndone(ctx context.Context, repo *gitx.Repo, name string, id gitx.ID) error {
	now, err := repo.Ref(ctx, name)
	if err != nil || now == id {
		return err
	}
	return repo.UpdateRef(ctx, gitx.RefUpdate{Name: name, New: id, Old: now, Log: "undone"})
}

func (p *program) squashCommand() *cli.Command {
	return &cli.Command{
		Name: "squash-message", Usage: "write the message for a squashed merge", ArgsUsage: "RANGE", Before: p.inRepo,
		Description: "A squashed merge is one commit, in which no step can be seen any more: it is outside the\n" +
			"loop, and the trailers of its steps must not stand in it. This lists the steps instead:\n" +
			"git merge --squash side && git tdd squash-message HEAD..side | git commit -F -\n" +
			"Where releases are made by the types of commits, --type feat makes it one of those.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "type", Usage: "the `TYPE` of the commit, which is outside the loop all the same", Value: "chore"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usage("squash-message takes one range, as in `git tdd squash-message HEAD..side`")
			}
			return p.squashMessage(c.Context, c.Args().First(), c.String("type"))
		},
	}
}

func (p *program) squashMessage(ctx context.Context, revisions, typ string) error {
	if broken := commitmsg.Parse(typ + ": squash\n").Check(commitmsg.Rules{}); len(broken) > 0 {
		return usage(quote(typ) + ": " + broken[0].Remedy)
	}
	ids, err := p.repo.List(ctx, revisions)
	if err != nil {
		return usage(err.Error())
	}
	var lines strings.Builder
	steps := 0
	for _, id := range ids {
		commit, err := p.repo.Commit(ctx, string(id))
		if err != nil {
			return err
		}
		message, what := commitmsg.Parse(commit.Message), ""
		if step, ok := gates.ParseStep(message); ok {
			what = fmt.Sprintf("step %d %s, ", step.Number, step.Phase)
			steps++
		}
		fmt.Fprintf(&lines, "- %s%s\n", what, message.Subject)
	}
	if len(ids) == 0 {
		return usage("there is no commit in " + quote(revisions))
	}
	p.out.printf("%s\n", squashed(typ, revisions, gates.Count(steps, "step"))+"\n\nCommits:\n"+strings.TrimRight(lines.String(), "\n"))
	if gates.RoleOf(typ) != "" {
		p.out.printf("\n%s: %s\n", gates.KeyOutcome, gates.Squashed)
	}
	return nil
}

// squashed is the subject, with the name of what was merged if that fits.
func squashed(typ, revisions, steps string) string {
	_, name, _ := strings.Cut(revisions, "..")
	plain := typ + ": squash " + steps
	named := plain + " of " + clean.Text(strings.TrimPrefix(name, "."))
	if name == "" || len(commitmsg.Parse(named+"\n").Check(commitmsg.Rules{})) > 0 {
		return plain
	}
	return named
}
