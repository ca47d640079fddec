package loop

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// AttemptRefs begins the names of the refs that keep refused attempts.
const AttemptRefs = "refs/tdd/attempts/"

// AttemptsOf is the folder of refs that keeps the attempts of a step.
func AttemptsOf(step int, role gates.Role) string {
	return fmt.Sprintf(AttemptRefs+"%d-%s", step, role)
}

// refOf is the ref that keeps one attempt.
func refOf(t *turn, a *attempt, id gitx.ID) string {
	return fmt.Sprintf("%s/%d-%s", AttemptsOf(t.number(), t.role), a.number, id.Short())
}

// refuse keeps a refused attempt and tells of it.
func (l *Loop) refuse(ctx context.Context, t *turn, a *attempt) error {
	if err := l.keep(ctx, t, a); err != nil {
		return err
	}
	t.log.refused(*a)
	if l.opts.Listener.Refused != nil {
		l.opts.Listener.Refused(Attempt{Number: a.number, Findings: a.findings, Ref: a.ref})
	}
	return nil
}

// keep stores a refused attempt as a commit of its own below AttemptRefs;
// one that came to no tree has HEAD's. The ref that ends in /last is the newest
// of the step, for status to find.
func (l *Loop) keep(ctx context.Context, t *turn, a *attempt) error {
	c := t.project.Settings.Commit
	id, err := l.opts.Repo.CommitTree(ctx, gitx.NewCommit{
		Tree: cmp.Or(a.tree, t.head.Tree), Parents: []gitx.ID{t.head.Commit}, Unsigned: true,
		Author:  gitx.Ident{Name: c.AuthorName, Mail: c.AuthorEmail},
		Message: fmt.Sprintf("attempt %d of step %d (%s), refused\n\n%s\n", a.number, t.number(), t.role, strings.Join(a.findings, "\n")),
	})
	if err != nil {
		return err
	}
	a.ref = refOf(t, a, id)
	if err := l.point(ctx, a.ref, id); err != nil {
		return err
	}
	return l.point(ctx, AttemptsOf(t.number(), t.role)+"/last", id)
}

// point lets a ref of git-tdd's own point to a commit.
func (l *Loop) point(ctx context.Context, ref string, id gitx.ID) error {
	now, err := l.opts.Repo.Ref(ctx, ref)
	if err != nil || now == id {
		return err
	}
	return l.opts.Repo.UpdateRef(ctx, gitx.RefUpdate{Name: ref, New: id, Old: now, Log: "an attempt"})
}
