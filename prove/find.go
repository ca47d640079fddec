package prove

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// ErrChange says that there is no change to prove, or that it cannot be found. Its text
// says why, and what to name instead.
var ErrChange = errors.New("no change to prove")

// Changed is what is to be proven: what differs between a commit and a tree.
type Changed struct {
	Base    gitx.ID // a commit; empty if the change starts from nothing
	Head    gitx.ID // a commit; empty for what is staged
	Tree    gitx.ID
	Subject string
	Waits   bool // it ends in a red that has no green yet
	Several bool // commits, of which the subject is only the last one's

	on    followed    // may be its red
	phase gates.Phase // of the step that a commit calls itself
}

// followed is the commit that another one follows; the zero value for more than one, and where
// that has no parent, or several.
type followed struct{ Base, Head, Tree gitx.ID }

func unfit(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrChange, fmt.Sprintf(format, args...))
}

// Find finds the change of a range ("main..topic": what topic adds to main, since they
// parted), or of one commit, a green with its red. Without a revision it is what the branch
// adds to the one that it is made for.
func Find(ctx context.Context, repo *gitx.Repo, revisions string) (Changed, error) {
	base, head, isRange := strings.Cut(strings.Replace(revisions, "...", "..", 1), "..")
	switch {
	case revisions == "":
		return ahead(ctx, repo)
	case isRange:
		if head == "" {
			head = "HEAD"
		}
		if base == "" {
			base = "HEAD"
		}
		return between(ctx, repo, base, head)
	}
	c, err := one(ctx, repo, revisions)
	if err != nil {
		return c, err
	}
	err = c.join(ctx, repo)
	if errors.Is(err, gitx.ErrMissing) {
		err = nil // a shallow clone: it stays by itself
	}
	return c, err
}

// join joins a commit that calls itself a green to the red that it answers. One that calls
// itself a red waits.
func (c *Changed) join(ctx context.Context, repo *gitx.Repo) error {
	if c.Waits = c.phase == gates.PhaseRed; c.phase != gates.PhaseGreen || c.Base == "" {
		return nil
	}
	before, err := check.FindPosition(ctx, repo, c.Base)
	if err != nil || before.Step.Phase != gates.PhaseRed {
		return err
	}
	red, err := check.OpenedBy(ctx, repo, before)
	if err != nil {
		return err
	}
	c.with(red.ID, "")
	if len(red.Parents) > 0 {
		c.Base = red.Parents[0]
	}
	return nil
}

// with takes a red into the change, with what that starts from, and says so in the subject.
func (c *Changed) with(red, base gitx.ID) {
	c.Subject = fmt.Sprintf("%s (with its red %.8s)", c.Subject, red)
	c.Base, c.on = base, followed{}
}

// one is the change of a commit.
func one(ctx context.Context, repo *gitx.Repo, rev string) (Changed, error) {
	commit, err := commitAt(ctx, repo, rev)
	if err != nil {
		return Changed{}, err
	}
	if len(commit.Parents) > 1 {
		return Changed{}, unfit("%s is a merge; name what it brought: git tdd evidence %s^1..%s^2", rev, rev, rev)
	}
	step, _ := gates.ParseStep(commitmsg.Parse(commit.Message))
	c := Changed{Head: commit.ID, Tree: commit.Tree, Subject: subjectOf(commit), phase: step.Phase}
	if len(commit.Parents) == 1 {
		c.Base = commit.Parents[0]
		on, err := commitAt(ctx, repo, string(c.Base))
		if err != nil {
			return c, err
		}
		if len(on.Parents) == 1 {
			c.on = followed{on.Parents[0], on.ID, on.Tree}
		}
	}
	return c, nil
}

// Each finds the commits of a range, each as a change of its own, the oldest first; a red
// and what follows up to its green, as their trailers call them, are one. Merges are left
// out.
func Each(ctx context.Context, repo *gitx.Repo, revisions string) ([]Changed, error) {
	if revisions == "" {
		whole, err := ahead(ctx, repo)
		if err != nil {
			return nil, err
		}
		revisions = string(whole.Base) + ".." + string(whole.Head)
	}
	if !strings.Contains(revisions, "..") {
		only, err := one(ctx, repo, revisions)
		return []Changed{only}, err
	}
	ids, err := repo.List(ctx, revisions)
	if err != nil {
		return nil, unfit("%q is no range that git knows: %v", revisions, err)
	}
	var all []Changed
	for _, id := range ids {
		commit, err := repo.Commit(ctx, string(id))
		if err != nil {
			return nil, err
		}
		if len(commit.Parents) > 1 {
			continue
		}
		c, err := one(ctx, repo, string(id))
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, unfit("%s holds no commit that is not a merge", revisions)
	}
	return withReds(all), nil
}

// withReds makes one change of each red and what follows up to its green. A red waits for that
// as long as each commit follows the one before and takes no other step; at the end it waits.
func withReds(all []Changed) (out []Changed) {
	reds := 0 // how many of the last commits a red begins that has no green yet
	for i, c := range all {
		follows := reds > 0 && all[i-1].Head == c.Base
		out = append(out, c)
		switch {
		case follows && c.phase == gates.PhaseGreen:
			out, reds = joined(out, reds+1), 0
		case follows && (c.phase == gates.PhaseRed || c.phase == ""):
			reds++
		case c.phase == gates.PhaseRed:
			reds = 1
		default:
			reds = 0
		}
	}
	if all[len(all)-1].phase == gates.PhaseRed {
		out = joined(out, reds)
		out[len(out)-1].Waits = true
	}
	return out
}

// joined are some changes of which the last n are one.
func joined(all []Changed, n int) []Changed {
	c, first := all[len(all)-1], all[len(all)-n]
	if n > 1 {
		c.with(first.Head, first.Base)
	}
	return append(all[:len(all)-n], c)
}

// between is what a branch adds to another one since they parted.
func between(ctx context.Context, repo *gitx.Repo, base, head string) (Changed, error) {
	from, err := commitAt(ctx, repo, base)
	if err != nil {
		return Changed{}, err
	}
	to, err := commitAt(ctx, repo, head)
	if err != nil {
		return Changed{}, err
	}
	fork, err := repo.MergeBase(ctx, from.ID, to.ID)
	if err != nil {
		return Changed{}, err
	}
	if fork == "" {
		return Changed{}, unfit("%s and %s have no commit in common here%s", base, head, missingHistory(repo))
	}
	start, err := commitAt(ctx, repo, string(fork))
	if err != nil {
		return Changed{}, err
	}
	if start.Tree == to.Tree {
		return Changed{}, unfit("%s adds nothing to %s; name a commit or a range", head, base)
	}
	several := len(to.Parents) != 1 || to.Parents[0] != fork
	return Changed{Base: fork, Head: to.ID, Tree: to.Tree, Subject: subjectOf(to), Several: several}, nil
}

// ahead is what the branch adds to the one that it is made for: its upstream's default
// branch, or main or master here.
func ahead(ctx context.Context, repo *gitx.Repo) (Changed, error) {
	head, err := repo.Head(ctx)
	if err != nil {
		return Changed{}, err
	}
	if head.Unborn() {
		return Changed{}, unfit("there is no commit yet; stage the change and ask for it: git tdd evidence --staged")
	}
	for _, base := range []string{"refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master", "@{upstream}"} {
		if _, err := repo.Commit(ctx, base); err != nil {
			continue
		}
		if c, err := between(ctx, repo, base, "HEAD"); err == nil || !errors.Is(err, ErrChange) {
			return c, err
		}
	}
	return Changed{}, unfit("this branch adds nothing to main, master or its upstream; name a commit or a range: git tdd evidence HEAD")
}

// commitAt reads the commit of a revision.
func commitAt(ctx context.Context, repo *gitx.Repo, rev string) (gitx.Commit, error) {
	commit, err := repo.Commit(ctx, rev)
	if err == nil {
		return commit, nil
	}
	if ctx.Err() != nil {
		return commit, err
	}
	return commit, unfit("%s is no commit that is here%s", rev, missingHistory(repo))
}

// missingHistory says what to do where a clone does not have the whole history.
func missingHistory(repo *gitx.Repo) string {
	if !repo.Shallow() {
		return ""
	}
	return "; this clone is shallow, and git fetch --unshallow brings the rest"
}

func subjectOf(c gitx.Commit) string {
	subject, _, _ := strings.Cut(c.Message, "\n")
	return subject
}

// Staged is what is staged, as a change of HEAD.
func Staged(ctx context.Context, repo *gitx.Repo) (Changed, error) {
	head, err := repo.Head(ctx)
	if err != nil {
		return Changed{}, err
	}
	tree, err := repo.StagedTree(ctx, nil)
	if failed, ok := errors.AsType[*gitx.Error](err); ok {
		return Changed{}, unfit("what is staged is no tree: %v", failed)
	}
	if err != nil {
		return Changed{}, err
	}
	if tree == head.Tree {
		return Changed{}, unfit("nothing is staged; git add it, or name a commit: git tdd evidence HEAD")
	}
	return Changed{Base: head.Commit, Tree: tree, Subject: "what is staged"}, nil
}
