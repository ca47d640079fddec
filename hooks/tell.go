package hooks

import (
	"context"
	"errors"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// Turn is whose turn it is after a commit, and what is expected.
type Turn struct {
	Last     gates.Step // the step that the commit took; Number 0 where it took none
	Next     gates.Step
	Expected string // what is expected, in words
	// Bypassed says that the commit claims to belong to the loop but was never judged here.
	Bypassed bool
	Quiet    bool // there is nothing to say
}

// PostCommit looks at the commit that was just made.
func (g Guard) PostCommit(ctx context.Context) (Turn, error) {
	head, err := g.Repo.Commit(ctx, "HEAD")
	if err != nil || sequence(g.Repo) != "" {
		return Turn{Quiet: true}, err
	}
	if ok, err := check.Guarded(ctx, g.Repo, head.Tree); err != nil || !ok {
		return Turn{Quiet: true}, err
	}
	declared, err := g.Checker.Settings(ctx, head.Tree)
	if err != nil {
		return Turn{}, err
	}
	pos, err := g.Checker.Position(ctx, head.ID)
	if err != nil {
		return Turn{}, err
	}
	role := check.Turn(declared.Settings, pos)
	t := Turn{Next: pos.Following(role, declared.Settings.Plays(role)), Expected: declared.Settings.Expected(pos, role)}
	m := commitmsg.Parse(head.Message)
	if step, ok := gates.ParseStep(m); ok {
		t.Last = step
		return t, nil
	}
	header, err := commitmsg.ParseHeader(m.Subject)
	outcome, _ := m.Get(gates.KeyOutcome)
	_, told := m.Get(gates.KeyTold)
	t.Bypassed = err == nil && !told && gates.RoleOf(header.Type) != "" && len(head.Parents) < 2 && outcome != string(gates.Unguarded) && outcome != string(gates.Squashed)
	return t, nil
}

// ParsePushes reads what git tells pre-push. Refs that are deleted are left out.
func ParsePushes(lines string) []Update {
	var out []Update
	for line := range strings.Lines(lines) {
		f := strings.Fields(line)
		if len(f) == 4 && !gitx.ID(f[1]).IsZero() {
			out = append(out, Update{New: gitx.ID(f[1]), Old: gitx.ID(f[3]), Ref: f[2]})
		}
	}
	return out
}

// Outgoing lists the guarded commits of a push that the other side does not have, the oldest first.
func (g Guard) Outgoing(ctx context.Context, remote string, u Update) ([]gitx.ID, error) {
	tip, err := g.commit(ctx, u.New)
	if err != nil || tip.ID == "" {
		return nil, nil //nolint:nilerr // no commit: a tag of something else
	}
	was, err := g.commit(ctx, u.Old)
	if err != nil {
		was = gitx.Commit{} // only the other side has it
	}
	ids, err := g.between(ctx, was, tip, "refs/remotes/"+remote)
	if err != nil {
		return nil, err
	}
	return g.amongGuarded(ctx, ids)
}

// between lists the commits that lead from one to another, parents first. Where none was before,
// it is those that no ref below the prefixes leads to.
func (g Guard) between(ctx context.Context, was, tip gitx.Commit, prefixes ...string) ([]gitx.ID, error) {
	if was.ID == "" {
		return g.Repo.Unpublished(ctx, tip.ID, prefixes...)
	}
	return g.Repo.List(ctx, string(was.ID)+".."+string(tip.ID))
}

// amongGuarded leaves out commits that neither their own configuration nor their parent's guards.
func (g Guard) amongGuarded(ctx context.Context, ids []gitx.ID) ([]gitx.ID, error) {
	var out []gitx.ID
	for _, id := range ids {
		c, err := g.Repo.Commit(ctx, string(id))
		if err != nil {
			return nil, err
		}
		ok, err := check.Guarded(ctx, g.Repo, c.Tree)
		if err == nil && !ok && len(c.Parents) > 0 {
			ok, err = check.Guarded(ctx, g.Repo, c.Parents[0]+"^{tree}")
			if errors.Is(err, gitx.ErrMissing) {
				err = nil
			}
		}
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, id)
		}
	}
	return out, nil
}
