package main

import (
	"context"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/prove"
)

// found gives trees without settings those that git tdd init would find.
func (p *program) found(repo *gitx.Repo) func(*check.Options) {
	return func(o *check.Options) {
		o.Adopt = func(ctx context.Context, tree gitx.ID) ([]byte, error) { return p.foundText(ctx, repo, tree, nil) }
	}
}

// foundText is the text of the settings that are found for a tree: of all its projects,
// or of those only that some paths touch; nil if nothing is found.
func (p *program) foundText(ctx context.Context, repo *gitx.Repo, tree gitx.ID, touched []string) ([]byte, error) {
	search, err := adopt.In(ctx, repo, tree, lang.All(), p.environ)
	if err != nil {
		return nil, err
	}
	return search.Text(touched)
}

// foundFor gives all trees of a change the settings that are found for what it leads to,
// of the projects that it touches; nothing where those are written down. What is approved
// is what is found for the whole.
func (p *program) foundFor(ctx context.Context, repo *gitx.Repo, change prove.Changed) (text []byte, permit func(*check.Project) error, err error) {
	if written, err := check.Guarded(ctx, repo, change.Tree); err != nil || written {
		return nil, nil, err
	}
	before := gitx.ID("")
	if change.Base != "" {
		base, err := repo.Commit(ctx, string(change.Base))
		if err != nil {
			return nil, nil, err
		}
		before = base.Tree
	}
	diffs, err := repo.Diff(ctx, before, change.Tree, gitx.NoMoves)
	if err != nil {
		return nil, nil, err
	}
	touched := []string{}
	for _, d := range diffs {
		touched = append(touched, d.Path())
	}
	if text, err = p.foundText(ctx, repo, change.Tree, touched); err != nil || text == nil {
		return nil, nil, err
	}
	whole, err := p.projectOf(ctx, change.Tree)
	return text, func(*check.Project) error { return p.permit(repo)(whole) }, err
}

// warnElsewhere says why tests may show something else in the working tree.
func (p *program) warnElsewhere(ctx context.Context, project *check.Project, tree gitx.ID) error {
	repo, err := p.open(ctx)
	if err != nil {
		return err
	}
	all, err := adopt.Elsewhere(ctx, repo, tree, project.Parts(), project.Settings.Workbench)
	p.err.quiet()
	for _, text := range all {
		p.err.printf("warning: %s\n", text)
	}
	return err
}
