package loop

import (
	"context"
	"errors"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/llm"
)

// try is what an attempt starts from.
type try struct {
	number   int
	plan     string           // made by this attempt or an earlier one; empty before that
	feedback *agents.Feedback // nil on the first attempt
}

// answer is a model's answer to one question.
type answer struct {
	text  string
	shown map[string]bool // the files that the prompt showed whole
}

// proposal is a readable answer.
type proposal struct {
	try
	answer
	edits agents.EditPlan
}

// maxPlan limits a plan, in bytes: it goes into every later prompt of the step.
const maxPlan = 4 << 10

// plan asks the model for a plan, unless an earlier attempt did.
func (l *Loop) plan(ctx context.Context, s *step, t try) (try, error) {
	if t.plan != "" {
		return t, nil
	}
	answer, err := l.ask(ctx, s, s.question(t, agents.TaskPlan))
	if err != nil {
		return t, err
	}
	t.plan = clip(readable(l.opts.Redact(answer.text)), maxPlan)
	s.log.Plan = t.plan
	l.record(l.journal.savePlan(s.turn, t.plan))
	return t, nil
}

// propose asks the model for edits and reads its answer. What is wrong with the
// answer is a finding: it goes back to the model.
func (l *Loop) propose(ctx context.Context, s *step, t try) (proposal, error) {
	answer, err := l.ask(ctx, s, s.question(t, agents.TaskEdit))
	if err != nil {
		return proposal{}, err
	}
	p := proposal{try: t, answer: answer}
	p.edits, err = agents.ParseEditPlan(answer.text, agents.DefaultLimits())
	if bad, ok := errors.AsType[*agents.PlanError](err); ok {
		return p, p.refuse(planFindings(bad.Problems)...)
	}
	l.redactWords(&p.edits)
	return p, err
}

// question is what one request asks.
type question struct {
	try
	task  string
	brief agents.Brief
}

// question makes a question of a task, with what earlier attempts have shown.
func (s *step) question(t try, task string) question {
	b := s.brief
	b.Attempt, b.Feedback = t.number, t.feedback
	for _, name := range sortedKeys(s.dirty) {
		b.OffLimits = append(b.OffLimits, agents.OffLimit{Path: name, Why: userWork(s.dirty[name])})
	}
	return question{try: t, task: task, brief: b}
}

// ask sends one prompt. It is the only place that makes requests, so that no
// secret gets out. An unusable answer (cut off, too large, not what the API
// promises) refuses the attempt; any other failure ends the step.
func (l *Loop) ask(ctx context.Context, s *step, q question) (answer, error) {
	prompt, shown, err := l.prompt(ctx, s, q)
	if err != nil {
		return answer{}, err
	}
	for i := range prompt.Messages {
		prompt.Messages[i].Content = l.opts.Redact(prompt.Messages[i].Content)
	}
	l.doing(s.doing(q.number, q.task))
	res, err := s.model.Client.Complete(ctx, llm.Request{
		Label: prompt.Label, Model: s.model.Model, Messages: prompt.Messages,
		Temperature: s.model.Temperature, Schema: prompt.Schema,
	})
	s.usage.Prompt += res.Usage.Prompt
	s.usage.Completion += res.Usage.Completion
	s.usage.Estimated = s.usage.Estimated || res.Usage.Estimated
	s.log.asked(prompt, res, err)
	if e, ok := errors.AsType[*llm.Error](err); ok && badAnswer(e.Kind) {
		return answer{}, q.refuse(gates.Finding{
			Gate: "plan", Seen: "the model's answer could not be used: " + e.Message, Remedy: "answer shorter, and in the form that was asked for",
		})
	}
	return answer{text: res.Text, shown: shown}, err
}

// badAnswer reports whether an error is about the answer and not about reaching
// the model, so that asking again may help.
func badAnswer(k llm.Kind) bool {
	return k == llm.KindTruncated || k == llm.KindTooLarge || k == llm.KindBadAnswer || k == llm.KindRefused
}

// redactWords removes secrets from what a model says for the commit. What it
// writes to files belongs to the project, and is left alone.
func (l *Loop) redactWords(plan *agents.EditPlan) {
	plan.Notes = l.opts.Redact(plan.Notes)
	if plan.Commit == nil {
		return
	}
	c := plan.Commit
	c.Summary = l.opts.Redact(c.Summary)
	for i := range c.Rationale {
		c.Rationale[i] = l.opts.Redact(c.Rationale[i])
	}
	for i := range c.DiffSummary {
		c.DiffSummary[i].Intent = l.opts.Redact(c.DiffSummary[i].Intent)
	}
}
