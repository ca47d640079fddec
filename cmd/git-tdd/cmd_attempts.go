package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/loop"
)

func (p *program) attemptsCommand() *cli.Command {
	c := &cli.Command{
		Name: "attempts", Usage: "list, show and prune the refused attempts that are kept",
		ArgsUsage: "[show REF | prune [--all]]",
		Description: "Without a command: step, role, number and first finding of each. show prints the\n" +
			"findings and the change of one; prune forgets those of steps that have been taken since.",
		CustomHelpTemplate: cli.CommandHelpTemplate, // the default one lists no flags before the command has run
		Flags:              []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print JSON"}},
		Subcommands: []*cli.Command{
			{
				Name: "show", Usage: "show the findings and the change of one", ArgsUsage: "REF",
				Action: func(c *cli.Context) error {
					if c.NArg() != 1 {
						return &usageError{"show takes one attempt, as `git tdd attempts` names it"}
					}
					return p.showAttempt(c.Context, c.Args().First())
				},
			},
			{
				Name: "prune", Usage: "forget the attempts of steps that have been taken since",
				Flags: []cli.Flag{&cli.BoolFlag{Name: "all", Usage: "forget all of them"}},
				Action: func(c *cli.Context) error {
					if c.Args().Present() {
						return &usageError{"prune takes no argument " + quote(c.Args().First())}
					}
					landed := func(a loop.Kept, last int) bool { return a.Step <= last }
					if c.Bool("all") {
						landed = func(loop.Kept, int) bool { return true }
					}
					return p.pruneAttempts(c.Context, landed)
				},
			},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return noSuch("command git tdd attempts", c.Args().First(), []string{"show", "prune"})
			}
			asJSON := c.Bool("json")
			all, err := p.attempts(c.Context)
			if err != nil || asJSON {
				return errors.Join(err, p.json(all))
			}
			p.listAttempts(all)
			return nil
		},
	}
	for _, sub := range c.Subcommands {
		sub.OnUsageError = usageErrorOf
	}
	return c
}

// attempts reads the kept attempts, ordered by step and number.
func (p *program) attempts(ctx context.Context) ([]loop.Kept, error) {
	repo, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	return loop.AllKept(ctx, repo)
}

func (p *program) listAttempts(all []loop.Kept) {
	for _, a := range all {
		const name = 26 // columns
		finding := a.Finding
		if width := p.out.width(); width > 0 {
			finding = cut(clean.Text(finding), width-name-2)
		}
		p.out.printf("%s  %s\n", p.out.paint(colourOf(a.Role.Phase()), pad(a.Name(), name)), finding)
	}
	if len(all) == 0 {
		p.out.printf("no refused attempt is kept\n")
	}
}

// showAttempt shows one attempt: by its name or an unambiguous beginning of it.
func (p *program) showAttempt(ctx context.Context, name string) error {
	all, err := p.attempts(ctx)
	if err != nil {
		return err
	}
	name = strings.TrimPrefix(name, loop.AttemptRefs)
	var found []loop.Kept
	for _, a := range all {
		if strings.HasPrefix(a.Name(), name) {
			found = append(found, a)
		}
	}
	if len(found) != 1 {
		return &usageError{fmt.Sprintf("%s names %s; `git tdd attempts` lists them", quote(name), count(len(found), "attempt"))}
	}
	return p.handOver(ctx, pager(p.environ), "show", "--no-ext-diff", "--no-textconv", "--format=%C(auto)%h%C(reset) %B", string(found[0].Commit))
}

// pruneAttempts deletes attempts, and the refs to the newest of their steps.
func (p *program) pruneAttempts(ctx context.Context, old func(a loop.Kept, last int) bool) (err error) {
	w, err := p.work(ctx, "attempts prune", nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	head, err := w.repo.Head(ctx)
	if err != nil {
		return err
	}
	pos, err := check.FindPosition(ctx, w.repo, head.Commit)
	if err != nil {
		return err
	}
	all, err := p.attempts(ctx)
	if err != nil {
		return err
	}
	pruned := 0
	for _, a := range all {
		if !old(a, pos.Step.Number) {
			continue
		}
		pruned++
		if err := forget(ctx, w.repo, a); err != nil {
			return err
		}
	}
	p.out.printf("%s pruned, %d kept\n", count(pruned, "attempt"), len(all)-pruned)
	return nil
}

func forget(ctx context.Context, repo *gitx.Repo, a loop.Kept) error {
	newest := a.Ref[:strings.LastIndex(a.Ref, "/")] + "/last"
	now, err := repo.Ref(ctx, newest)
	if err == nil && now == a.Commit {
		err = repo.UpdateRef(ctx, gitx.RefUpdate{Name: newest, Old: now})
	}
	if err != nil {
		return err
	}
	return repo.UpdateRef(ctx, gitx.RefUpdate{Name: a.Ref, Old: a.Commit})
}
