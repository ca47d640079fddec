package main

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/prove"
	"github.com/git-tdd/git-tdd/trust"
)

// found gives trees without settings those that git tdd init would find.
func (p *program) found(o *check.Options) {
	o.Adopt = func(ctx context.Context, tree gitx.ID) ([]byte, error) { return p.foundText(ctx, tree, nil) }
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
	before := gitx.ID("")
	if change.Base != "" {
		base, err := p.repo.Commit(ctx, string(change.Base))
		if err != nil {
			return nil, nil, err
		}
		before = base.Tree
	}
	diffs, err := p.repo.Diff(ctx, before, change.Tree, gitx.NoMoves)
	if err != nil {
		return nil, nil, err
	}
	touched := []string{}
	for _, d := range diffs {
		touched = append(touched, d.Path())
	}
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

// warnElsewhere says why tests may show something else in the working tree.
func (p *program) warnElsewhere(ctx context.Context, project *check.Project, tree gitx.ID) error {
	all, err := adopt.Elsewhere(ctx, p.repo, tree, project.Parts(), project.Settings.Workbench)
	p.err.quiet()
	for _, text := range all {
		p.err.printf("warning: %s\n", text)
	}
	return err
}
