package check

import (
	"context"
	"maps"
	"slices"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// OpenedBy is the commit that opened the red at a position: not one of those that
// mended it since.
func OpenedBy(ctx context.Context, repo *gitx.Repo, pos gates.Position) (gitx.Commit, error) {
	for {
		commit, err := repo.Commit(ctx, pos.Commit)
		if err != nil || pos.Step.Outcome != gates.Disputed || len(commit.Parents) == 0 {
			return commit, err
		}
		before, err := FindPosition(ctx, repo, commit.Parents[0])
		if err != nil || before.Step.Phase != gates.PhaseRed {
			return commit, err
		}
		pos = before
	}
}

// WithoutRed is the tree that a commit would have without its open red: the files
// that the red's steps changed are as they were before, all others stay.
func (c *Checker) WithoutRed(ctx context.Context, from gitx.ID, pos gates.Position) (gitx.ID, gates.Dispute, error) {
	opened, err := OpenedBy(ctx, c.opts.Repo, pos)
	if err != nil {
		return "", gates.Dispute{}, err
	}
	var commits []gitx.Commit
	err = c.opts.Repo.Walk(ctx, string(from), func(commit gitx.Commit) bool {
		commits = append(commits, commit)
		return commit.ID != opened.ID
	})
	if err != nil {
		return "", gates.Dispute{}, err
	}
	return c.without(ctx, from, pos, commits, func(commit gitx.Commit) bool {
		_, step := gates.ParseStep(commitmsg.Parse(commit.Message))
		return step
	})
}

// without is the tree of a commit as if those of some commits had never been that are meant. The
// last of them opened what is disputed.
func (c *Checker) without(ctx context.Context, from gitx.ID, pos gates.Position, commits []gitx.Commit, meant func(gitx.Commit) bool) (tree gitx.ID, d gates.Dispute, err error) {
	mine, others := map[string]bool{}, map[string]bool{}
	for _, commit := range commits {
		changed, err := c.paths(ctx, commit)
		if err != nil {
			return "", d, err
		}
		by := others
		if meant(commit) {
			by = mine
		}
		for _, path := range changed {
			by[path] = true
		}
	}
	d.Since = slices.DeleteFunc(slices.Sorted(maps.Keys(mine)), func(path string) bool { return !others[path] })
	if d.Earlier, err = c.disputes(ctx, pos); err != nil {
		return "", d, err
	}
	tree, err = c.takeBack(ctx, from, commits[len(commits)-1], mine)
	return tree, d, err
}

// paths lists what a commit changed in its first parent's tree.
func (c *Checker) paths(ctx context.Context, commit gitx.Commit) ([]string, error) {
	before, err := c.treeBefore(ctx, commit)
	if err != nil {
		return nil, err
	}
	diffs, err := c.opts.Repo.Diff(ctx, before, commit.Tree)
	return gates.Each(diffs, gitx.Diff.Path), err
}

// treeBefore is the tree of a commit's first parent; empty if it has none.
func (c *Checker) treeBefore(ctx context.Context, commit gitx.Commit) (gitx.ID, error) {
	if len(commit.Parents) == 0 {
		return "", nil
	}
	return c.treeOf(ctx, commit.Parents[0])
}

// takeBack is the tree of a commit with some paths as they were before another one. Deletions
// come first, because what is restored may need their place.
func (c *Checker) takeBack(ctx context.Context, from gitx.ID, opened gitx.Commit, changed map[string]bool) (gitx.ID, error) {
	was, err := c.treeBefore(ctx, opened)
	if err != nil {
		return "", err
	}
	now, err := c.treeOf(ctx, from)
	if err != nil {
		return "", err
	}
	diffs, err := c.opts.Repo.Diff(ctx, was, now)
	if err != nil {
		return "", err
	}
	var gone, back []gitx.TreeEdit
	for _, d := range diffs {
		switch {
		case !changed[d.Path()]:
		case d.Old == nil:
			gone = append(gone, gitx.TreeEdit{Path: d.New.Path, Delete: true})
		default:
			back = append(back, gitx.TreeEdit{Path: d.Old.Path, Mode: d.Old.Mode, Blob: d.Old.ID})
		}
	}
	return c.opts.Repo.WriteTree(ctx, now, append(gone, back...))
}

// disputes counts how often the red at a position was disputed: since the last red
// that was answered, or for the same criterion.
func (c *Checker) disputes(ctx context.Context, pos gates.Position) (int, error) {
	n, answered := 0, false
	err := c.opts.Repo.Walk(ctx, pos.Commit, func(commit gitx.Commit) bool {
		step, ok := gates.ParseStep(commitmsg.Parse(commit.Message))
		if !ok {
			return true
		}
		again := slices.ContainsFunc(step.Criteria, func(id int) bool { return slices.Contains(pos.Step.Criteria, id) })
		if step.Outcome == gates.Disputed && (!answered || again) {
			n++
		}
		answered = answered || step.Answers()
		return step.Number > 1 && (!answered || len(pos.Step.Criteria) > 0)
	})
	return n, err
}

// withdrawals reports whether a step withdraws a red, or its red was withdrawn, if it is
// asked step by step from the newest back.
func withdrawals() func(gates.Step) bool {
	after := false // the step after this one withdraws its red
	return func(step gates.Step) bool {
		taken := after && step.Phase == gates.PhaseRed
		after = step.Withdraws() || taken && step.Outcome == gates.Disputed // that it mended goes too
		return taken || step.Withdraws()
	}
}

// undisputed lists the reds of a step, if it is asked step by step from the newest
// back, but none that a later step withdrew or mended.
func undisputed() func(gates.Step) []gates.Red {
	given := false
	return func(step gates.Step) []gates.Red {
		reds := step.Red
		if given && step.Phase == gates.PhaseRed {
			given, reds = false, nil
		}
		given = given || step.Outcome == gates.Disputed
		return reds
	}
}
