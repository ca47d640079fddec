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
// configuration was measured otherwise, if at all. The commits after it are passed over, the
// newest first; without any, the tree does not matter.
func (e *examination) gradedTree(ctx context.Context, rev gitx.ID) (tree gitx.ID, passed []gitx.Commit, err error) {
	at, err := e.opts.Repo.Commit(ctx, string(rev))
	for err == nil && len(passed) < maxBack {
		step, _ := gates.ParseStep(commitmsg.Parse(at.Message))
		if len(at.Parents) != 1 || step.Phase == gates.PhaseGreen {
			return at.Tree, passed, nil
		}
		before, err := e.treeOf(ctx, at.Parents[0])
		if err != nil {
			return "", nil, nil //nolint:nilerr // a shallow clone ends here
		}
		change, err := e.Change(ctx, e.j.Project.Language, before, at.Tree)
		if err != nil || change.TouchesMore() || configures(change) {
			return at.Tree, passed, err
		}
		passed = append(passed, at)
		if at, err = e.opts.Repo.Commit(ctx, string(at.Parents[0])); err != nil {
			return "", nil, err
		}
	}
	return "", nil, err
}

// earlier finds the commits of sources alone after which tests were worth less, where
// their grades are those of the tree before them: who comes later is not to blame.
func (e *examination) earlier(ctx context.Context, of selection) error {
	weaker := e.j.Case.Weaker()
	if len(weaker) == 0 || len(e.passed) == 0 {
		return nil
	}
	own, _, err := e.own(ctx)
	if err != nil {
		return err
	}
	now, err := e.gradesOf(ctx, e.j.Project, own, of)
	weaker = slices.DeleteFunc(weaker, func(id string) bool { return now[id] == "" || now[id].Worth() >= e.found.Before[id].Worth() })
	for _, commit := range slices.Backward(e.passed) {
		if err != nil || len(weaker) == 0 {
			break
		}
		weaker, err = e.since(ctx, commit, weaker, now, of)
	}
	return err
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
