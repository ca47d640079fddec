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
	t, err := g.turn(ctx, head.ID, head.Tree)
	if err != nil || t.Quiet {
		return t, err
	}
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

// turn is whose turn it is after a commit.
func (g Guard) turn(ctx context.Context, commit, tree gitx.ID) (Turn, error) {
	ok, err := check.Guarded(ctx, g.Repo, tree)
	if err != nil || !ok {
		return Turn{Quiet: true}, err
	}
	declared, err := g.Checker.Settings(ctx, tree)
	if err != nil {
		return Turn{}, err
	}
	pos, err := g.Checker.Position(ctx, commit)
	if err != nil {
		return Turn{}, err
	}
	role := check.Turn(declared.Settings, pos)
	return Turn{Next: pos.Following(role, declared.Settings.Plays(role)), Expected: declared.Settings.Expected(pos, role)}, nil
}

// Push is one ref that is being pushed: a line of what git tells pre-push.
type Push struct{ Local, Remote gitx.ID }

// ParsePushes reads what git tells pre-push. Refs that are deleted are left out.
func ParsePushes(lines string) []Push {
	var out []Push
	for line := range strings.Lines(lines) {
		f := strings.Fields(line)
		if len(f) == 4 && !gitx.ID(f[1]).IsZero() {
			out = append(out, Push{Local: gitx.ID(f[1]), Remote: gitx.ID(f[3])})
		}
	}
	return out
}

// Outgoing lists the guarded commits of a push that the other side does not have, the oldest first.
func (g Guard) Outgoing(ctx context.Context, remote string, p Push) ([]gitx.ID, error) {
	ids, err := g.missing(ctx, remote, p)
	if err != nil {
		return nil, err
	}
	return g.amongGuarded(ctx, ids)
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

// missing lists the commits of a push that the other side is not known to have.
func (g Guard) missing(ctx context.Context, remote string, p Push) ([]gitx.ID, error) {
	tip, err := g.commit(ctx, p.Local)
	if err != nil || tip.ID == "" {
		return nil, nil //nolint:nilerr // no commit: a tag of something else
	}
	if !p.Remote.IsZero() {
		if _, err := g.Repo.Object(ctx, string(p.Remote)); err == nil {
			return g.Repo.List(ctx, string(p.Remote)+".."+string(p.Local))
		}
	}
	return g.Repo.Unpublished(ctx, tip.ID, "refs/remotes/"+remote)
}
