package hooks

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

// PreReceive is the hook of a repository that is pushed to.
const PreReceive = "pre-receive"

// ServerEnviron is the environment in which a push is judged, contained. The pusher's own
// settings, which may come over a local path or through sshd, are ignored.
func ServerEnviron(environ []string) []string {
	kept := slices.DeleteFunc(slices.Clone(environ), func(kv string) bool { return strings.HasPrefix(kv, "GIT_TDD") })
	return append(kept, "GIT_TDD_CONTAIN=always")
}

// Update is one ref that a push would move: a line of what git tells pre-push or pre-receive.
type Update struct {
	Old, New gitx.ID // all zeros if there is none
	Ref      string
}

// ParseUpdates reads pre-receive's input. Deletions bring nothing to judge (see
// receive.denyDeletes), and refs that are neither branches nor tags publish nothing.
func ParseUpdates(lines string) []Update {
	return slices.DeleteFunc(updates(lines, 3, 0), func(u Update) bool {
		return !strings.HasPrefix(u.Ref, "refs/heads/") && !strings.HasPrefix(u.Ref, "refs/tags/")
	})
}

// ParsePushes reads what git tells pre-push. Refs that are deleted are left out.
func ParsePushes(lines string) []Update { return updates(lines, 4, 3) }

// updates reads lines of so many fields, in one of which stands what the ref was. Deletions are left out.
func updates(lines string, fields, old int) []Update {
	var out []Update
	for line := range strings.Lines(lines) {
		if f := strings.Fields(line); len(f) == fields && !gitx.ID(f[1]).IsZero() {
			out = append(out, Update{Old: gitx.ID(f[old]), New: gitx.ID(f[1]), Ref: f[2]})
		}
	}
	return out
}

// ErrUnguards says that a push would leave a branch without its configuration, so unguarded.
var ErrUnguards = errors.New("it would no longer be guarded: its new tip has no .tdd.yaml")

// Incoming lists the commits of a push that must be judged, each once and parents first.
func (g Guard) Incoming(ctx context.Context, updates []Update) ([]gitx.ID, error) {
	var out []gitx.ID
	seen := map[gitx.ID]bool{}
	for _, u := range updates {
		ids, err := g.brought(ctx, u)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", u.Ref, err)
		}
		for _, id := range ids {
			if !seen[id] {
				out = append(out, id)
			}
			seen[id] = true
		}
	}
	return out, nil
}

// brought lists the commits of one update that must be judged: all on a guarded branch, which
// must stay guarded, and elsewhere those with a configuration.
func (g Guard) brought(ctx context.Context, u Update) ([]gitx.ID, error) {
	tip, err := g.commit(ctx, u.New)
	if err != nil || tip.ID == "" {
		return nil, err // a tag of something other than a commit
	}
	was, err := g.commit(ctx, u.Old)
	if err != nil {
		return nil, err
	}
	ids, err := g.between(ctx, was, tip, "refs/heads", "refs/tags")
	if err != nil {
		return nil, err
	}
	if guarded, err := check.Guarded(ctx, g.Repo, was.Tree); err != nil {
		return nil, err
	} else if !guarded {
		return g.amongGuarded(ctx, ids)
	}
	still, err := check.Guarded(ctx, g.Repo, tip.Tree)
	if err == nil && !still {
		err = ErrUnguards
	}
	return ids, err
}

// commit reads the commit that an id names, perhaps through a tag; zero if there is none.
func (g Guard) commit(ctx context.Context, id gitx.ID) (gitx.Commit, error) {
	if id.IsZero() {
		return gitx.Commit{}, nil
	}
	obj, err := g.Repo.Object(ctx, string(id)+"^{}")
	if err != nil || obj.Type != "commit" {
		return gitx.Commit{}, err
	}
	return g.Repo.Commit(ctx, string(obj.ID))
}

// Outgoing lists the guarded commits of a push that the other side does not have, the oldest first.
func (g Guard) Outgoing(ctx context.Context, remote string, u Update) ([]gitx.ID, error) {
	tip, err := g.commit(ctx, u.New)
	if err != nil || tip.ID == "" {
		return nil, nil //nolint:nilerr // no commit: a tag of something else
	}
	was, _ := g.commit(ctx, u.Old) // zero where only the other side has it
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
			ok, err = check.Guarded(ctx, g.Repo, c.Parents[0])
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
