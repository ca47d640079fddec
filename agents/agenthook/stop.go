package agenthook

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// most is how often one turn is sent back. Some agents have no bound: one went round 191 times.
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

// inLoop is the part of a change that a step can be made of; the rest belongs to others.
func inLoop(change gates.Change) gates.Change {
	return gates.Change{Files: slices.DeleteFunc(slices.Clone(change.Files), func(f gates.FileChange) bool {
		k := f.Kind()
		return k != gates.KindTest && k != gates.KindSupport && k != gates.KindSource
	})}
}

// left says what stands in the way of committing what a turn left. whole says
// that the tree differs from HEAD in the step alone, so that it can be judged.
func (j Judge) left(ctx context.Context, s *standing, tree gitx.ID, step gates.Change, whole bool) (proven bool, why string, err error) {
	for _, role := range s.plays {
		if v := s.scope(role, step); !v.Accepted() {
			why = cmp.Or(why, v.Findings[0].String()+"; "+s.next())
			continue
		}
		kind := s.project.Settings.Rules(s.turn).Type
		if role != gates.Keeper {
			kind = gates.TypesOf(role)[0]
		}
		judged, err := j.Checker.Judge(ctx, check.Proposal{ // by what is on record
			Parent: s.head.Commit, Tree: tree, Message: kind + ": what lies in the working tree",
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

// session is what is remembered of a turn, so that it is not sent back for ever,
// nor for what lay there before it. It decides nothing about any commit.
type session struct {
	Wrote bool `json:"wrote"` // the agent wrote something in this turn
	Sent  int  `json:"sent"`  // how often the turn was sent back

	Warned bool `json:"warned,omitempty"` // it was said that there are no hooks

	file string
}

// session recalls the turn of an agent's session.
func (j Judge) session(agent, id string) *session {
	name := fmt.Sprintf("%s-%x", agent, sha256.Sum256([]byte(id)))[:len(agent)+17]
	s := &session{file: filepath.Join(j.Repo.StateDir(), "agents", name)}
	if data, err := wholefile.Read(s.file); err == nil {
		_ = json.Unmarshal(data, s) // what cannot be read is a new turn
	}
	return s
}

// save remembers the turn. Where it cannot be written, no turn is sent back.
func (s *session) save() bool {
	data, err := json.Marshal(s)
	return err == nil && os.MkdirAll(filepath.Dir(s.file), 0o750) == nil && os.WriteFile(s.file, data, 0o600) == nil
}

// end forgets the turn.
func (s *session) end() error {
	if s.Warned {
		s.Wrote, s.Sent = false, 0
		s.save()
		return nil
	}
	err := os.Remove(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
