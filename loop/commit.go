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
			if id := t.serves(a); id > 0 && t.plays == gates.Tester {
				s.Criteria = []int{id}
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

// message writes the commit message of the step. It is redacted line by line: a
// secret that seems to have no end must not take the trailers with it.
func (l *Loop) message(t *turn, a *attempt, s gates.Step, k *gates.Case) string {
	m := commitmsg.Message{Subject: l.opts.Redact(header(t, a, k.Change).String()), Trailers: s.Trailers()}
	for _, section := range agents.Sections(a.plan, stepDone(t, a, k.Change, k.After)) {
		for i, item := range section.Items {
			section.Items[i] = l.opts.Redact(item)
		}
		m.Sections = append(m.Sections, commitmsg.Section{Title: section.Title, Items: section.Items})
	}
	for i, trailer := range m.Trailers {
		m.Trailers[i].Value = l.opts.Redact(trailer.Value)
	}
	return m.String()
}

// goal is the criterion that a step serves; empty where it names none.
func goal(t *turn, a *attempt) string {
	id := t.serves(a)
	if id == 0 && len(t.pos.Step.Criteria) > 0 && t.plays != gates.Tester {
		id = t.pos.Step.Criteria[0]
	}
	for _, c := range t.material.Criteria {
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
	if err := l.land(ctx, t, &a, gitx.Landing{Branch: t.head.Branch, Old: t.head.Commit, New: id, Log: "tdd: " + subject}); err != nil {
		return Accepted{}, err
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
		return done, &StopError{Reason: Done, Text: "the " + string(t.role) + " has nothing left, and " + proof(t)}
	}
	return done, nil
}

// land moves the branch and the user's files. A finished commit that cannot
// land is kept like a refused one: its tests have been run, and nothing is lost.
func (l *Loop) land(ctx context.Context, t *turn, a *attempt, landing gitx.Landing) error {
	err := l.opts.Repo.Land(ctx, landing)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, gitx.ErrUnfinished):
		return fmt.Errorf("the step is on the branch (%s), but your files could not follow: %w", landing.New.Short(), err)
	case ctx.Err() != nil:
		return err
	}
	ref := refOf(t, a, landing.New)
	return errors.Join(fmt.Errorf("the step was accepted but could not land; its commit is kept as %s: %w", ref, err), l.point(ctx, ref, landing.New))
}

// proof says what stands behind "there is nothing left".
func proof(t *turn) string {
	if len(t.material.Criteria) == 0 {
		return "every test passes; the kata lists no acceptance criteria to hold that against"
	}
	return "every acceptance criterion is covered by a passing test"
}

// completeMessage is the message of the empty commit that ends a kata. It is
// outside the loop: it takes no step.
func completeMessage(t *turn) string {
	return commitmsg.Message{
		Subject:  "chore: complete the kata",
		Body:     fmt.Sprintf("The %s has nothing left to add, and\n%s: %s.", t.role, proof(t), gates.TestsText(t.before.Facts)),
		Trailers: []commitmsg.Trailer{{Key: gates.KeyOutcome, Value: string(gates.Complete)}},
	}.String()
}
