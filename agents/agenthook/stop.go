package agenthook

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// most is how often one turn is sent back. Some agents have no bound of their
// own: one was seen to go round 191 times.
const most = 2

// stop looks at what a turn leaves uncommitted, as if it were committed now.
func (j Judge) stop(ctx context.Context, s *standing, turn *session) (Answer, error) {
	if !turn.Wrote {
		return Answer{}, nil // whatever lies there is somebody else's
	}
	tree, err := j.Repo.WorkingTree(ctx)
	if err != nil {
		return Answer{}, err
	}
	change, err := j.Checker.Change(ctx, s.project.Language, s.head.Tree, tree)
	if err != nil {
		return Answer{}, err
	}
	step := inLoop(change)
	if len(step.Files) == 0 {
		return Answer{}, turn.end()
	}
	proven, why, err := j.left(ctx, s, tree, step, len(step.Files) == len(change.Files))
	if err != nil {
		return Answer{}, err
	}
	switch {
	case proven:
		return Answer{Note: "git tdd: what lies uncommitted would be accepted; " + s.next() + "."}, turn.end()
	case turn.Sent >= most || s.project.Settings.Gates.Tells(gates.EnforceDefault):
		return Answer{Note: "git tdd: the turn ends with work that is not committed: " + why + "."}, turn.end()
	}
	turn.Sent++
	turn.save()
	return Answer{Again: "git tdd: your turn leaves work uncommitted: " + why +
		". Commit only what is yours; if you cannot go on, say so and stop." + Wall}, nil
}

// inLoop is the part of a change that a step can be made of. The rest belongs to
// commits of its own, or to somebody else.
func inLoop(change gates.Change) (step gates.Change) {
	for _, f := range change.Files {
		if k := f.Kind(); k == gates.KindTest || k == gates.KindSupport || k == gates.KindSource {
			step.Files = append(step.Files, f)
		}
	}
	return step
}

// left says what stands in the way of committing what a turn left. whole says
// that the tree differs from HEAD in the step alone, so that it can be judged.
func (j Judge) left(ctx context.Context, s *standing, tree gitx.ID, step gates.Change, whole bool) (proven bool, why string, err error) {
	for _, role := range s.plays {
		if v := s.scope(role, step); !v.Accepted() {
			if why == "" {
				why = v.Findings[0].String() + "; " + s.next()
			}
			continue
		}
		judged, err := j.Checker.Judge(ctx, check.Proposal{ // by what is on record
			Parent: s.head.Commit, Tree: tree, Message: s.typeOf(role) + ": what lies in the working tree",
		})
		switch {
		case errors.Is(err, check.ErrNotRecorded), err == nil && !whole:
			return false, fmt.Sprintf("nothing has measured it yet. → %s; `git commit` measures it", s.next()), nil
		case err != nil:
			return false, "", err
		case judged.Verdict.Accepted():
			return true, "", nil
		}
		why = judged.Verdict.Findings[0].String()
	}
	return false, why, nil
}

// typeOf is the usual type of a commit by these rules.
func (s *standing) typeOf(plays gates.Role) string {
	if plays == gates.Keeper {
		return s.project.Settings.Rules(s.turn).Type
	}
	return gates.TypesOf(plays)[0]
}
