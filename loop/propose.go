package loop

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/llm"
)

// try is what an attempt starts from.
type try struct {
	number   int
	feedback *agents.Feedback // nil on the first attempt
}

// proposal is a readable answer.
type proposal struct {
	try
	edits agents.EditPlan
}

// maxPlan limits what is kept of a plan, in bytes.
const maxPlan = 4 << 10

// propose asks the model for edits and reads its answer. What is wrong with the
// answer is a finding: it goes back to the model.
func (l *Loop) propose(ctx context.Context, s *step, t try) (proposal, error) {
	p := proposal{try: t}
	q := agents.Turn{Task: s.firstTask(), Attempt: t.number, Feedback: t.feedback}
	err := l.readAnswer(ctx, s, &p, q)
	if err == nil && len(p.edits.Need) > 0 {
		err = l.give(ctx, s, &p)
	}
	if err != nil {
		return p, err
	}
	l.redactWords(&p.edits)
	plan := p.edits.Plan
	if s.told.Works {
		plan = p.edits.Notes // an agent's own words
	}
	if plan != "" {
		s.log.Plan = clip(readable(plan), maxPlan)
		l.record(l.journal.write(fmt.Sprintf("plan/step-%d-%s.md", s.number(), s.role), s.log.Plan+"\n"))
	}
	return p, nil
}

// readAnswer asks a question and reads the answer.
func (l *Loop) readAnswer(ctx context.Context, s *step, p *proposal, q agents.Turn) error {
	answer, err := l.ask(ctx, s, p.try, q)
	if err != nil {
		return err
	}
	p.edits, err = agents.ParseEditPlan(answer)
	if bad, ok := errors.AsType[*agents.PlanError](err); ok {
		return p.refuse(bad.Problems...)
	}
	return err
}

// give asks again with what a role needs to see, once in a step.
func (l *Loop) give(ctx context.Context, s *step, p *proposal) (err error) {
	q := agents.Turn{Task: agents.TaskMore, Attempt: p.number}
	if !s.asked {
		s.asked = true
		if q.More, err = l.more(ctx, s, p.edits.Need); err == nil {
			err = l.readAnswer(ctx, s, p, q)
		}
	}
	if err == nil && len(p.edits.Need) > 0 {
		return p.refuse(gates.Finding{Gate: "plan", Seen: `a second "need" in one step`, Remedy: "answer with edits, made from what you have been shown"})
	}
	return err
}

// ask asks the next question of the step's conversation. An unusable answer (cut
// off, too large, not what the API promises) refuses the attempt; any other failure
// ends the step.
func (l *Loop) ask(ctx context.Context, s *step, t try, q agents.Turn) (string, error) {
	s.talk = append(s.talk, q)
	prompt, err := l.outgoing(s)
	if err != nil {
		return "", err
	}
	res, err := l.send(ctx, s.turn, s.doing(t.number, q.Task), prompt, s.log)
	s.usage = s.usage.Plus(res.Usage)
	if e, ok := errors.AsType[*llm.Error](err); ok && badAnswer(e.Kind) {
		s.answered("(the answer could not be used)")
		return "", t.refuse(s.unusable(e))
	}
	s.answered(res.Text)
	return res.Text, err
}

// send is the only place that makes a request; prompts come from redacted.
func (l *Loop) send(ctx context.Context, t turn, d Doing, p agents.Prompt, log *stepLog) (llm.Response, error) {
	l.doing(d)
	res, err := t.model.Client.Complete(ctx, llm.Request{
		Label: p.Label, Model: t.model.Model, Messages: p.Messages, Temperature: t.model.Temperature, Schema: p.Schema,
	})
	log.asked(p, res, err)
	return res, err
}

func (l *Loop) redacted(p agents.Prompt) agents.Prompt {
	for i := range p.Messages {
		p.Messages[i].Content = l.opts.Redact(p.Messages[i].Content)
	}
	return p
}

func (l *Loop) outgoing(s *step) (agents.Prompt, error) {
	prompt, err := s.fit()
	return l.redacted(prompt), violated(err)
}

// answered notes the answer to the last question.
func (s *step) answered(text string) {
	last := &s.talk[len(s.talk)-1]
	if last.Task == agents.TaskWork {
		text = "(it lies in the files)"
	}
	last.Answer = text
}

func (s *step) unusable(e *llm.Error) gates.Finding {
	if s.told.Works {
		return gates.Finding{Gate: "plan", Seen: e.Message, Remedy: "take the step in the files, and come to an end"}
	}
	return gates.Finding{
		Gate: "plan", Seen: "the model's answer could not be used: " + e.Message, Remedy: "answer shorter, and in the form that was asked for",
	}
}

// badAnswer reports whether an error is about the answer, so that asking again may help.
func badAnswer(k llm.Kind) bool {
	return k == llm.KindTruncated || k == llm.KindTooLarge || k == llm.KindBadAnswer || k == llm.KindRefused
}

// redactWords removes secrets from a model's words. What it writes to files is the project's.
func (l *Loop) redactWords(plan *agents.EditPlan) {
	words := []*string{&plan.Notes, &plan.Dispute, &plan.Plan}
	if c := plan.Commit; c != nil {
		words = append(words, &c.Summary)
		for i := range c.Rationale {
			words = append(words, &c.Rationale[i])
		}
		for i := range c.DiffSummary {
			words = append(words, &c.DiffSummary[i].Intent)
		}
	}
	for _, text := range words {
		*text = l.opts.Redact(*text)
	}
}
