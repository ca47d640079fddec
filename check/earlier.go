package check

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// maxBack is how many commits that change only sources are passed over.
const maxBack = 5

// gradedTree is the tree of the nearest commit whose tests were graded, or would
// be: one that changed more than sources, or a green. What came before another
// configuration was measured otherwise, if at all.
func (e *examination) gradedTree(ctx context.Context, rev gitx.ID) (gitx.ID, error) {
	first, err := e.opts.Repo.Commit(ctx, string(rev))
	if err != nil {
		return "", err
	}
	at := first
	for range maxBack {
		step, _ := gates.ParseStep(commitmsg.Parse(at.Message))
		if len(at.Parents) != 1 || step.Phase == gates.PhaseGreen {
			return at.Tree, nil
		}
		before, err := e.treeOf(ctx, at.Parents[0])
		if err != nil {
			return first.Tree, nil //nolint:nilerr // a shallow clone ends here
		}
		change, err := e.Change(ctx, e.j.Project.Language, before, at.Tree)
		if err != nil || change.TouchesMore() || configures(change) {
			return at.Tree, err
		}
		if at, err = e.opts.Repo.Commit(ctx, string(at.Parents[0])); err != nil {
			return "", err
		}
	}
	return first.Tree, nil
}

// earlier finds the commits of sources alone after which tests were worth less, where
// their grades are those of the tree before them: who comes later is not to blame.
func (e *examination) earlier(ctx context.Context, graded gitx.ID, of selection) error {
	weaker := e.j.Case.Weaker()
	own, rev, err := e.own(ctx)
	if err != nil || len(weaker) == 0 || gitx.ID(own.Tree) == graded {
		return err
	}
	now, err := e.gradesOf(ctx, e.j.Project, own, of)
	if err != nil {
		return err
	}
	weaker = slices.DeleteFunc(weaker, func(id string) bool { return now[id] == "" || now[id].Worth() >= e.found.Before[id].Worth() })
	if len(weaker) == 0 {
		return nil
	}
	commits, err := e.passedOver(ctx, rev, graded)
	for i := len(commits) - 1; i >= 0 && len(weaker) > 0 && err == nil; i-- {
		weaker, err = e.since(ctx, commits[i], weaker, now, of)
	}
	return err
}

// passedOver lists the commits down to one with a tree, the newest first.
func (e *examination) passedOver(ctx context.Context, rev, until gitx.ID) (out []gitx.Commit, err error) {
	err = e.opts.Repo.Walk(ctx, string(rev), func(c gitx.Commit) bool {
		if c.Tree != until {
			out = append(out, c)
		}
		return c.Tree != until && len(out) < maxBack
	})
	return out, err
}

// since notes which tests are worth as little as now after a commit, and returns the
// others.
func (e *examination) since(ctx context.Context, c gitx.Commit, weaker []string, now map[string]gates.Grade, of selection) ([]string, error) {
	result, err := e.Of(ctx, e.j.Project, c.Tree)
	if err != nil {
		return nil, err
	}
	then, err := e.gradesOf(ctx, e.j.Project, result.Facts, of)
	return slices.DeleteFunc(weaker, func(id string) bool {
		if then[id] == "" || then[id].Worth() > now[id].Worth() {
			return false
		}
		e.found.Earlier = append(e.found.Earlier, gates.Earlier{
			Test: id, Was: e.found.Before[id], Now: now[id],
			Commit: fmt.Sprintf("%s %q", c.ID.Short(), commitmsg.Parse(c.Message).Subject),
		})
		e.found.Before[id] = now[id]
		return true
	}), err
}
