package loop

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/katas"
	"github.com/git-tdd/git-tdd/llm"
)

// proposal puts an attempt before the checker.
func (l *Loop) proposal(t *turn, a *attempt) check.Proposal {
	first := commitmsg.Message{Subject: header(t, a, gates.Change{}).String()}
	if a.special != gates.Ordinary {
		first.Trailers = []commitmsg.Trailer{{Key: gates.KeyOutcome, Value: string(a.special)}}
	}
	return check.Proposal{
		Parent: t.head.Commit, Tree: a.tree, Agent: true, Message: first.String(),
		Add: func(s *gates.Step) {
			s.Role = t.role
			s.Attempts, s.Model, s.Tokens = a.number, t.model.Name, tokens(t.usage)
			if a.plan.Criterion > 0 && t.plays == gates.Tester {
				s.Criteria = []int{a.plan.Criterion}
			}
		},
		Compose: func(s gates.Step, k *gates.Case) string { return l.message(t, a, s, k) },
	}
}

func tokens(u llm.Usage) string {
	text := fmt.Sprintf("%d in, %d out", u.Prompt, u.Completion)
	if u.Estimated {
		text += " (estimated)"
	}
	return text
}

func stepDone(t *turn, a *attempt, change gates.Change, after gates.Facts) agents.StepDone {
	return agents.StepDone{
		Role: t.role, Plays: t.plays, Step: t.number(), Goal: goal(t, a), Change: change, After: after,
	}
}

func header(t *turn, a *attempt, change gates.Change) commitmsg.Header {
	typ, scope, summary := agents.Subject(a.plan, stepDone(t, a, change, gates.Facts{}))
	return commitmsg.Header{Type: typ, Scope: scope, Summary: summary}
}

// message writes the commit message of the step.
func (l *Loop) message(t *turn, a *attempt, s gates.Step, k *gates.Case) string {
	m := commitmsg.Message{Subject: header(t, a, k.Change).String(), Trailers: s.Trailers()}
	for _, section := range agents.Sections(a.plan, stepDone(t, a, k.Change, k.After)) {
		m.Sections = append(m.Sections, commitmsg.Section{Title: section.Title, Items: section.Items})
	}
	return l.opts.Redact(m.String())
}

// goal is the criterion that a step serves; empty where it names none.
func goal(t *turn, a *attempt) string {
	id := a.plan.Criterion
	if id == 0 && len(t.pos.Step.Criteria) > 0 && t.plays != gates.Tester {
		id = t.pos.Step.Criteria[0]
	}
	for _, c := range katas.ParseCriteria([]byte(t.project.Kata)) {
		if c.ID == id {
			return c.Text
		}
	}
	return ""
}

// commit makes the commit of an accepted attempt and lands it.
func (l *Loop) commit(ctx context.Context, t *turn, a attempt) (Accepted, error) {
	l.doing(t.doing(a.number, "commit"))
	message := a.judged.Message
	if a.complete {
		message = completeMessage(t)
	}
	c := t.project.Settings.Commit
	id, err := l.opts.Repo.CommitTree(ctx, gitx.NewCommit{
		Tree: a.tree, Parents: []gitx.ID{t.head.Commit}, Message: message,
		Author: gitx.Ident{Name: c.AuthorName, Mail: c.AuthorEmail},
	})
	if err != nil {
		return Accepted{}, err
	}
	subject := commitmsg.Parse(message).Subject
	err = l.opts.Repo.Land(ctx, gitx.Landing{Branch: t.head.Branch, Old: t.head.Commit, New: id, Log: "tdd: " + subject})
	switch {
	case errors.Is(err, gitx.ErrUnfinished):
		return Accepted{}, fmt.Errorf("the step is on the branch (%s), but your files could not follow: %w", id.Short(), err)
	case err != nil:
		return Accepted{}, fmt.Errorf("the step was accepted but could not land (its commit is %s): %w", id.Short(), err)
	}
	done := Accepted{
		Step: a.judged.Step, Commit: id, Subject: subject, Attempts: a.number,
		Tokens: t.usage, Took: time.Since(t.start),
	}
	if a.judged.Case != nil {
		done.Change = a.judged.Case.Change
	}
	if l.opts.Listener.Accepted != nil && !a.complete {
		l.opts.Listener.Accepted(done)
	}
	if a.complete {
		return done, &StopError{Reason: Done, Text: "the tester has nothing left, and every acceptance criterion is covered by a passing test"}
	}
	return done, nil
}

// completeMessage is the message of the empty commit that ends a kata. It is
// outside the loop: it takes no step.
func completeMessage(t *turn) string {
	return commitmsg.Message{
		Subject: "chore: complete the kata",
		Body: fmt.Sprintf("The %s has nothing left to add, and every acceptance criterion is covered by a\npassing test: %s.",
			t.role, gates.TestsText(t.before.Facts)),
		Trailers: []commitmsg.Trailer{{Key: gates.KeyOutcome, Value: string(gates.Complete)}},
	}.String()
}
