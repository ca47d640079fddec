package main

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/prove"
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
		},
		Action: func(c *cli.Context) error {
			if err := p.openAny(c.Context); err != nil {
				return err
			}
			if c.Bool("revoke") {
				err := p.trustStore().Revoke(trust.Subject{Repository: p.repo.CommonDir})
				if err == nil {
					p.out.printf("nothing of %s is approved any more\n", p.repo.Place())
				}
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
			return p.approve(covered, p.out)
		},
	}
}

// projectOf reads what a tree says about itself. It runs nothing.
func (p *program) projectOf(ctx context.Context, tree gitx.ID) (*check.Project, error) {
	return p.checker(check.Options{Adopt: p.found}).Project(ctx, tree)
}

// showDeclared shows what a tree declares, which is what an approval covers.
func (p *program) showDeclared(ctx context.Context, tree gitx.ID, out *terminal) ([]trust.Subject, error) {
	project, err := p.projectOf(ctx, tree)
	if err != nil {
		return nil, err
	}
	commands, err := p.declared(project)
	if err != nil {
		return nil, err
	}
	covered := []trust.Subject{commands}
	if words, some := p.promptSubject(project); some {
		covered = append(covered, words)
	}
	for _, s := range covered {
		out.commands("", s.Commands)
	}
	own, err := project.Own()
	if err == nil && own.NamesModels() {
		for _, grant := range own.Grants() {
			out.printf("%s %s\n", pad("endpoint", 9), grant)
		}
	}
	return covered, err
}

func (p *program) approve(covered []trust.Subject, out *terminal) error {
	for _, s := range covered {
		if err := p.trustStore().Approve(s); err != nil {
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

// found gives a tree without settings those that git tdd init would find.
func (p *program) found(ctx context.Context, tree gitx.ID) ([]byte, error) {
	return p.foundText(ctx, tree, nil)
}

// foundText is the text of the settings that are found for a tree: of all its projects,
// or of those only that some paths touch; nil if nothing is found.
func (p *program) foundText(ctx context.Context, tree gitx.ID, touched []string) ([]byte, error) {
	search, err := adopt.In(ctx, p.repo, tree, lang.All(), p.environ)
	if err != nil {
		return nil, err
	}
	return search.Text(touched)
}

// foundFor gives all trees of a change the settings that are found for what it leads to,
// of the projects that it touches; nothing where those are written down. What is approved
// is what is found for the whole: for that tree, or for HEAD's, if the tests are the same.
func (p *program) foundFor(ctx context.Context, change prove.Changed) (text []byte, permit func(*check.Project) error, err error) {
	if written, err := check.Guarded(ctx, p.repo, change.Tree); err != nil || written {
		return nil, nil, err
	}
	diffs, err := p.repo.Diff(ctx, change.Base, change.Tree)
	if err != nil {
		return nil, nil, err
	}
	touched := append([]string{}, gates.Each(diffs, gitx.Diff.Path)...) // not nil, which is all
	if text, err = p.foundText(ctx, change.Tree, touched); err != nil || text == nil {
		return nil, nil, err
	}
	whole, err := p.projectOf(ctx, change.Tree)
	return text, func(*check.Project) error { return p.permitTests(ctx, whole) }, err
}

// permitTests refuses to run the tests of a tree, unless what it declares is approved, or what
// HEAD declares is and differs in nothing but formatters and checks, which are not run.
func (p *program) permitTests(ctx context.Context, project *check.Project) error {
	refused := p.permit(project)
	if _, untrusted := errors.AsType[*untrustedError](refused); !untrusted {
		return refused
	}
	head, err := p.repo.Commit(ctx, "HEAD")
	if err != nil {
		return err
	}
	now, err := p.projectOf(ctx, head.Tree)
	if err != nil || p.permit(now) != nil {
		return cmp.Or(err, refused)
	}
	run := func(project *check.Project) trust.Subject {
		covered, covers := p.declared(project)
		err = cmp.Or(err, covers)
		covered.Commands = slices.DeleteFunc(covered.Commands, func(c []string) bool {
			return strings.HasPrefix(c[0], "fmt") || strings.HasPrefix(c[0], "check")
		})
		return covered
	}
	if same := reflect.DeepEqual(run(project), run(now)); err != nil || same {
		return err
	}
	return refused
}
