package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/prove"
	"github.com/git-tdd/git-tdd/testrun"
)

// here reports whether a program is found from a folder of a repository.
func (p *program) here(repo *gitx.Repo) func(program, dir string) bool {
	return func(program, dir string) bool {
		return testrun.Locate(program, filepath.Join(repo.Top, filepath.FromSlash(dir)), p.environ) != ""
	}
}

// search looks for what the files of a tree show of the projects in it; failed says what
// kept one from being read.
func (p *program) search(ctx context.Context, repo *gitx.Repo, tree gitx.ID, entries []gitx.Entry) (s adopt.Search, failed func() error) {
	var broken error
	read := func(path string) string {
		text, _, err := repo.Text(ctx, tree, path)
		if err != nil {
			broken = err
		}
		return string(text)
	}
	src := testrun.Sources{Paths: pathsOf(entries), Read: read}
	return adopt.Search{Sources: src, Languages: lang.All(), Here: p.here(repo)}, func() error { return broken }
}

// found gives trees without settings those that git tdd init would find.
func (p *program) found(repo *gitx.Repo) func(*check.Options) {
	return func(o *check.Options) {
		o.Adopt = func(ctx context.Context, tree gitx.ID) ([]byte, error) { return p.foundText(ctx, repo, tree, nil) }
	}
}

// foundText is the text of the settings that are found for a tree: of all its projects,
// or of those only that some paths touch. It is empty where nothing is found.
func (p *program) foundText(ctx context.Context, repo *gitx.Repo, tree gitx.ID, touched []string) ([]byte, error) {
	entries, err := repo.Entries(ctx, tree)
	if err != nil {
		return nil, err
	}
	search, failed := p.search(ctx, repo, tree, entries)
	settings, err := search.Settings(touched)
	switch {
	case errors.Is(err, config.ErrNoLanguage):
		return nil, failed()
	case err != nil:
		return nil, err
	}
	return config.Render(settings), failed()
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
