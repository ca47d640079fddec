package verify

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// Range is what has to be judged.
type Range struct {
	Commits []gitx.ID // behind merges too, each after its parents
	// Note says which part of the history is missing; empty if none is.
	Note string
}

// ErrRange says that a revision range cannot be read.
var ErrRange = errors.New("the range cannot be read")

// Find lists the commits of a revision range in the syntax of git log. Without
// one, these are the commits from the first step on; or if no commit takes a
// step, those since the upstream's merge base; and without an upstream, those that
// a configuration guards.
func Find(ctx context.Context, repo *gitx.Repo, revisions string) (Range, error) {
	r := Range{}
	if repo.Shallow() {
		r.Note = "this clone is shallow, so the history before its first commits is not here; git fetch --unshallow brings it"
	}
	if revisions != "" {
		ids, err := repo.List(ctx, revisions)
		if err != nil {
			return r, fmt.Errorf("“%s”: %w: %w", revisions, ErrRange, err)
		}
		r.Commits = ids
		return r, nil
	}
	head, err := repo.Head(ctx)
	if err != nil || head.Unborn() {
		return r, err
	}
	if r.Commits, err = sinceFirstStep(ctx, repo, head.Commit); err != nil || len(r.Commits) > 0 {
		return r, err
	}
	r.Commits, err = repo.List(ctx, "@{upstream}..HEAD")
	if _, none := errors.AsType[*gitx.Error](err); none {
		r.Commits, err = sinceGuarded(ctx, repo, head.Commit)
	}
	return r, err
}

// sinceGuarded lists the commits since the one that brought the configuration, as
// `git tdd init` makes it.
func sinceGuarded(ctx context.Context, repo *gitx.Repo, head gitx.ID) ([]gitx.ID, error) {
	var first gitx.Commit
	var failed error
	err := repo.Walk(ctx, string(head), func(c gitx.Commit) bool {
		guarded, err := check.Guarded(ctx, repo, c.Tree)
		if failed = err; guarded {
			first = c
		}
		return guarded && err == nil
	})
	if err = errors.Join(err, failed); err != nil || repo.Shallow() {
		return nil, err
	}
	return since(ctx, repo, first, head)
}

// since lists the commits from one on; none if there is no first.
func since(ctx context.Context, repo *gitx.Repo, first gitx.Commit, head gitx.ID) ([]gitx.ID, error) {
	switch {
	case first.ID == "":
		return nil, nil
	case len(first.Parents) == 0:
		return repo.List(ctx, string(head))
	}
	return repo.List(ctx, string(first.Parents[0])+".."+string(head))
}

// sinceFirstStep lists the commits since the first step on the way of first parents,
// or where none is there since the first one behind a merge.
func sinceFirstStep(ctx context.Context, repo *gitx.Repo, head gitx.ID) ([]gitx.ID, error) {
	pos, err := check.FindPosition(ctx, repo, head)
	if err != nil {
		return nil, err
	}
	var first gitx.Commit
	if pos.Started() {
		err = repo.Walk(ctx, string(head), func(c gitx.Commit) bool {
			step, ok := gates.ParseStep(commitmsg.Parse(c.Message))
			if ok {
				first = c
			}
			return !ok || step.Number > 1
		})
	} else {
		first, err = check.FirstStep(ctx, repo, head)
	}
	if err != nil {
		return nil, err
	}
	return since(ctx, repo, first, head)
}
