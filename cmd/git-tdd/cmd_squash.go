package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/clean"
)

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
				return &usageError{"squash-message takes one range, as in `git tdd squash-message HEAD..side`"}
			}
			return p.squashMessage(c.Context, c.Args().First(), c.String("type"))
		},
	}
}

func (p *program) squashMessage(ctx context.Context, revisions, typ string) error {
	if broken := commitmsg.Parse(typ + ": squash\n").Check(commitmsg.Rules{}); len(broken) > 0 {
		return &usageError{quote(typ) + ": " + broken[0].Remedy}
	}
	ids, err := p.repo.List(ctx, revisions)
	if err != nil {
		return &usageError{err.Error()}
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
		return &usageError{"there is no commit in " + quote(revisions)}
	}
	p.out.printf("%s\n", squashed(typ, revisions, count(steps, "step"))+"\n\nCommits:\n"+strings.TrimRight(lines.String(), "\n"))
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
