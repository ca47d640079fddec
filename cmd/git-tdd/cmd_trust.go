package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/trust"
)

func (p *program) trustCommand() *cli.Command {
	return &cli.Command{
		Name: "trust", Usage: "allow this repository's commands and endpoints here", ArgsUsage: "[REV]",
		Description: "The approval covers the commands, the endpoints and the names of the keys that the\n" +
			"configuration at REV (HEAD) names, and the texts for roles, in this repository only;\n" +
			"it falls when any of them changes. It is kept in your own configuration directory,\n" +
			"outside any repository.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "show", Usage: "say what would be approved, approve nothing"},
			&cli.BoolFlag{Name: "staged", Usage: "what the index names, before it is committed"},
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
			if err := p.openAny(c.Context); err != nil {
				return err
			}
			tree, _, err := p.asked(c)
			if err != nil {
				return err
			}
			covered, err := p.showDeclared(c.Context, tree, p.out)
			if err != nil || c.Bool("show") {
				return err
			}
			return p.approve(store, covered, p.out)
		},
	}
}

// projectOf reads what a tree says about itself. It runs nothing.
func (p *program) projectOf(ctx context.Context, tree gitx.ID) (*check.Project, error) {
	checker, err := p.checker(check.UseRecord, nil, p.found)
	if err != nil {
		return nil, err
	}
	return checker.Project(ctx, tree)
}

// showDeclared shows what a tree declares, which is what an approval covers.
func (p *program) showDeclared(ctx context.Context, tree gitx.ID, out *terminal) ([]trust.Subject, error) {
	project, err := p.projectOf(ctx, tree)
	if err != nil {
		return nil, err
	}
	own, err := project.Own()
	if err != nil {
		return nil, err
	}
	parts, err := project.OwnParts(lang.All())
	if err != nil {
		return nil, err
	}
	covered := []trust.Subject{p.subject(own, parts)}
	if words, some := p.promptSubject(project); some {
		covered = append(covered, words)
	}
	for _, s := range covered {
		out.commands("", s.Commands)
	}
	if own.NamesModels() {
		for _, grant := range own.Grants() {
			out.printf("%s %s\n", pad("endpoint", 9), grant)
		}
	}
	return covered, nil
}

func (p *program) approve(store trust.Store, covered []trust.Subject, out *terminal) error {
	for _, s := range covered {
		if err := store.Approve(s); err != nil {
			return err
		}
	}
	out.printf("approved for %s\n", p.repo.Place())
	return nil
}

// commands prints those that an approval covers, each after its name.
func (t *terminal) commands(indent string, named [][]string) {
	for _, argv := range named {
		if len(argv) > 1 {
			t.printf("%s%s %s\n", indent, pad(argv[0], 9), strings.Join(argv[1:], " "))
		}
	}
}

func (p *program) revoke(ctx context.Context, store trust.Store) error {
	if err := p.openAny(ctx); err != nil {
		return err
	}
	if err := store.Revoke(trust.Subject{Repository: p.repo.CommonDir}); err != nil {
		return err
	}
	p.out.printf("nothing of %s is approved any more\n", p.repo.Place())
	return nil
}

func (p *program) listTrust(store trust.Store) error {
	records, err := store.List()
	if err != nil {
		return err
	}
	for _, r := range records {
		if r.Damaged != "" {
			p.out.printf("damaged  %s: %s\n", r.File, r.Damaged)
			continue
		}
		p.out.printf("%s\n", r.Repository)
	}
	if len(records) == 0 {
		p.out.printf("no repository is approved on this machine\n")
	}
	return nil
}

// inHistory says which tree it is that was not approved, if that of HEAD was.
func (p *program) inHistory(ctx context.Context, err error) error {
	untrusted, ok := errors.AsType[*untrustedError](err)
	if !ok {
		return err
	}
	head, failed := p.repo.Head(ctx)
	if failed != nil {
		return errors.Join(err, failed)
	}
	if project, failed := p.projectOf(ctx, head.Tree); failed != nil || p.permit(project) == nil {
		untrusted.rev = untrusted.tree.Short()
	}
	return err
}

// promptSubject is what an approval of a repository's own words for its roles
// covers: each file and its content. It stands apart from that of the commands,
// because a change to words does not keep anything from being measured. ok is
// false if there are none.
func (p *program) promptSubject(project *check.Project) (s trust.Subject, ok bool) {
	ids := map[string]gitx.ID{}
	for _, e := range project.Entries {
		ids[e.Path] = e.ID
	}
	s.Repository = p.repo.CommonDir
	for _, role := range slices.Sorted(maps.Keys(project.Settings.Roles)) {
		if path := project.Settings.Roles[role].Prompt; path != "" {
			s.Commands = append(s.Commands, []string{"prompt", "of the " + string(role), "extended by", path, string(ids[path])})
		}
	}
	return s, len(s.Commands) > 0
}

// permitPrompts refuses words that the user has not approved.
func (p *program) permitPrompts(project *check.Project) error {
	s, ok := p.promptSubject(project)
	if !ok {
		return nil
	}
	return p.approved(s, "texts for roles", project.Tree)
}
