package main

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/trust"
)

func (p *program) trustCommand() *cli.Command {
	return &cli.Command{
		Name: "trust", Usage: "allow this repository's commands and endpoints on this machine",
		Description: "The approval covers the commands, the endpoints and the names of the keys that the\n" +
			"configuration at HEAD names, in this repository only; it falls when any of them\n" +
			"changes. It is kept in your own configuration directory, outside any repository.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "show", Usage: "say what would be approved, approve nothing"},
			&cli.BoolFlag{Name: "revoke", Usage: "take back every approval of this repository"},
			&cli.BoolFlag{Name: "list", Usage: "list all approvals on this machine"},
		},
		Action: func(c *cli.Context) error {
			store, err := p.trustStore()
			switch {
			case err != nil:
				return err
			case c.Bool("list"):
				return p.listTrust(store)
			case c.Bool("revoke"):
				return p.revoke(c.Context, store)
			}
			return p.approve(c.Context, store, c.Bool("show"))
		},
	}
}

// atHead reads what HEAD's configuration would run.
func (p *program) atHead(ctx context.Context) (*gitx.Repo, config.Settings, testrun.Commands, error) {
	repo, err := p.open(ctx)
	if err != nil {
		return nil, config.Settings{}, testrun.Commands{}, err
	}
	head, err := repo.Head(ctx)
	if err != nil {
		return repo, config.Settings{}, testrun.Commands{}, err
	}
	settings, file, err := check.ReadSettings(ctx, repo, head.Tree, p.environ)
	if err != nil {
		return repo, settings, testrun.Commands{}, err
	}
	if file == "" {
		return repo, settings, testrun.Commands{}, &usageError{"HEAD has no .tdd.yaml; `git tdd init` adds one and approves what it wrote"}
	}
	entries, err := repo.Entries(ctx, head.Tree)
	if err != nil {
		return repo, settings, testrun.Commands{}, err
	}
	paths := make([]string, 0, len(entries))
	for _, e := range entries {
		paths = append(paths, e.Path)
	}
	language, err := settings.Resolve(paths)
	return repo, settings, settings.Commands(language), err
}

func (p *program) approve(ctx context.Context, store trust.Store, only showOnly) error {
	repo, settings, commands, err := p.atHead(ctx)
	if err != nil {
		return err
	}
	what := subject(repo, settings, commands)
	for _, argv := range what.Commands {
		if len(argv) > 1 {
			p.out.printf("%s %s\n", pad(argv[0], 9), clean(strings.Join(argv[1:], " ")))
		}
	}
	for _, grant := range settings.Grants() {
		p.out.printf("%s %s\n", pad("endpoint", 9), clean(grant))
	}
	if only {
		return nil
	}
	if err := store.Approve(what); err != nil {
		return err
	}
	p.out.printf("approved for %s\n", clean(repo.Top))
	return nil
}

// showOnly says that nothing is to be approved.
type showOnly = bool

func (p *program) revoke(ctx context.Context, store trust.Store) error {
	repo, err := p.open(ctx)
	if err != nil {
		return err
	}
	if err := store.Revoke(trust.Subject{Repository: repo.CommonDir}); err != nil {
		return err
	}
	p.out.printf("nothing of %s is approved any more\n", clean(repo.Top))
	return nil
}

func (p *program) listTrust(store trust.Store) error {
	records, err := store.List()
	if err != nil {
		return err
	}
	for _, r := range records {
		if r.Damaged != "" {
			p.out.printf("damaged  %s: %s\n", clean(r.File), clean(r.Damaged))
			continue
		}
		p.out.printf("%s\n", clean(r.Subject.Repository))
	}
	if len(records) == 0 {
		p.out.printf("no repository is approved on this machine\n")
	}
	return nil
}
