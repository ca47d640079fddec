package loop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// submission is a candidate as the checker takes it.
func (l *Loop) submission(s *step, c candidate) check.Proposal {
	return check.Proposal{
		Parent: s.head.Commit, Tree: c.tree, Agent: true, Strict: true, Message: check.MessageOf(s.header(c, gates.Change{}).String(), c.special),
		Add: func(done *gates.Step) {
			done.Role = s.role
			done.Attempts, done.Model, done.Tokens = c.number, cmp.Or(c.by, s.model.Name), s.usage.String()
			if !c.edits.Done {
				done.Note = agents.Note(c.edits)
			}
			if id := s.serves(c.edits); id > 0 && s.plays == gates.Tester {
				done.Criteria = []int{id}
				if c.edits.Covered != "" {
					done.Covered = map[int]gates.Extent{id: c.edits.Covered}
				}
			} else if c := s.dispute.open.Criterion; c > 0 {
				done.Criteria = []int{c}
			} else if s.dispute.why != "" {
				done.Criteria, done.Covered = s.history.Step.Criteria, s.history.Step.Covered
			}
			if done.Withdraws() {
				done.Covered = nil
			}
		},
		Compose: func(done gates.Step, k *gates.Case) string {
			return l.message(done, s.header(c, k.Change), agents.Sections(c.edits, s.stepDone(c, k.Change, k.After)))
		},
	}
}

func (s *step) stepDone(c candidate, change gates.Change, after gates.Facts) agents.StepDone {
	return agents.StepDone{Brief: s.brief, Goal: s.goal(c), Change: change, After: after, Withdrawn: c.edits.Done && s.dispute.why != ""}
}

func (s *step) header(c candidate, change gates.Change) commitmsg.Header {
	return agents.Subject(c.edits, s.stepDone(c, change, gates.Facts{}))
}

// message is the commit message, redacted line by line: an unended secret must not swallow trailers.
func (l *Loop) message(done gates.Step, header commitmsg.Header, sections []commitmsg.Section) string {
	m := commitmsg.Message{Subject: l.opts.Redact(header.String()), Sections: sections, Trailers: done.Trailers()}
	for _, section := range sections {
		for i, item := range section.Items {
			section.Items[i] = l.opts.Redact(item)
		}
	}
	for i, trailer := range m.Trailers {
		m.Trailers[i].Value = l.opts.Redact(trailer.Value)
	}
	return m.String()
}

// criterion is the one of that number; the zero value if the kata does not list it.
func (s *step) criterion(id int) agents.Criterion {
	c, _ := gates.Find(s.brief.Criteria, func(c agents.Criterion) bool { return c.ID == id })
	return c
}

// serves is the criterion that the model says it serves; 0 if the kata does not list it.
func (s *step) serves(plan agents.EditPlan) int { return s.criterion(plan.Criterion).ID }

// goal is the text of the criterion that a step serves; empty if it names none.
func (s *step) goal(c candidate) string {
	id := s.serves(c.edits)
	if id == 0 && len(s.history.Step.Criteria) > 0 && (s.plays != gates.Tester || s.dispute.why != "") {
		id = s.history.Step.Criteria[0]
	}
	return s.criterion(id).Text
}

// commit makes the commit of an accepted attempt and lands it.
func (l *Loop) commit(ctx context.Context, s *step, v verdict) (Accepted, error) {
	l.doing(s.doing(v.number, "commit"))
	done, err := l.makeCommit(ctx, s.turn, v.tree, v.message)
	if err != nil {
		return Accepted{}, err
	}
	done.Step, done.Change, done.Attempts, done.Tokens = v.step, v.change, v.number, s.usage.Plus(s.review.usage)
	if err := l.land(ctx, s.turn, done); err != nil {
		return Accepted{}, err
	}
	done.Took = time.Since(s.started)
	if v.complete {
		return done, &StopError{Reason: Done, Text: "the " + string(s.role) + " has nothing left, and " + s.proof()}
	}
	l.waits(s, done)
	if l.opts.Listener.Accepted != nil {
		l.opts.Listener.Accepted(done)
	}
	return done, nil
}

// makeCommit makes a commit on HEAD, which nothing names yet.
func (l *Loop) makeCommit(ctx context.Context, t turn, tree gitx.ID, message string) (Accepted, error) {
	id, err := l.opts.Repo.CommitTree(ctx, gitx.NewCommit{Tree: tree, Parents: []gitx.ID{t.head.Commit}, Message: message, Author: t.author()})
	return Accepted{Commit: id, Subject: commitmsg.Parse(message).Subject}, err
}

// author is the author of agents' commits.
func (t turn) author() gitx.Ident {
	c := t.project.Settings.Commit
	return gitx.Ident{Name: c.AuthorName, Mail: c.AuthorEmail}
}

// land moves the branch and the user's files. A commit that cannot land is kept like a refused one.
func (l *Loop) land(ctx context.Context, t turn, done Accepted) error {
	err := l.opts.Repo.Land(ctx, gitx.Landing{Branch: t.head.Branch, Old: t.head.Commit, New: done.Commit, Log: "tdd: " + done.Subject})
	switch {
	case err == nil:
		return nil
	case errors.Is(err, gitx.ErrUnfinished):
		return fmt.Errorf("the step is on the branch (%s), but your files could not follow: %w", done.Commit.Short(), err)
	case ctx.Err() != nil:
		return err
	}
	ref := attemptRef(t, done.Attempts, done.Commit)
	return errors.Join(fmt.Errorf("the step was accepted but could not land; its commit is kept as %s: %w", ref, err), l.point(ctx, ref, done.Commit))
}

// proof says what supports "there is nothing left".
func (s *step) proof() string {
	if len(s.brief.Criteria) == 0 {
		return "every test passes; the kata lists no acceptance criteria to hold that against"
	}
	return "passing tests cover the whole of every acceptance criterion"
}

// completeMessage is the message of the empty commit that ends a kata and takes no step.
func (s *step) completeMessage() string {
	return commitmsg.Message{
		Subject:  "chore: complete the kata",
		Body:     fmt.Sprintf("The %s has nothing left to add, and\n%s: %s.", s.role, s.proof(), gates.TestsText(s.before)),
		Trailers: []commitmsg.Trailer{{Key: gates.KeyOutcome, Value: string(gates.Complete)}},
	}.String()
}
