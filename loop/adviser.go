package loop

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/llm"
)

// adviser is a model that takes no step: it is shown something and answers.
type adviser struct {
	turn     // the adviser's role and model, where the step stands
	question shrinking
	task     string // what it is asked for
	log      *stepLog
	attempt  int // of the step
	usage    llm.Usage
}

// shrinking is a question that can do with less.
type shrinking interface {
	Ask(turns []agents.Turn) (agents.Prompt, error)
	Shrink() bool
}

// maxAsked is how often an adviser is asked for one answer.
const maxAsked = 2

func (l *Loop) advisedBy(t turn, role gates.Role) (turn, error) {
	var err error
	t.role, t.plays = role, ""
	t.model, err = l.opts.Answerer(t.project.Settings, role)
	return t, err
}

// consult asks an adviser, and once more if reading the answer fails with a *agents.PlanError;
// unread says why that failed too.
func consult[T any](ctx context.Context, l *Loop, a *adviser, read func(answer string) (T, error)) (said T, unread string, err error) {
	turns := []agents.Turn{{Task: a.task, Attempt: a.attempt}}
	for range maxAsked {
		answer, err := l.consulted(ctx, a, turns)
		if err == nil {
			said, err = read(answer)
		}
		bad, ok := errors.AsType[*agents.PlanError](err)
		if !ok {
			return said, "", err
		}
		unread = bad.Problems[0].Seen
		turns[0].Answer = clip(answer, maxPlan)
		turns = append(turns, agents.Turn{
			Task: a.task + " again", Attempt: a.attempt, Feedback: &agents.Feedback{Findings: bad.Lines()},
		})
	}
	return said, unread, nil
}

// consulted makes one request. An answer that brought nothing is a *agents.PlanError.
func (l *Loop) consulted(ctx context.Context, a *adviser, turns []agents.Turn) (string, error) {
	prompt, err := a.question.Ask(turns)
	for err == nil && llm.Length(prompt.Messages) > a.project.Settings.LLM.MaxContext && a.question.Shrink() {
		prompt, err = a.question.Ask(turns)
	}
	if err != nil {
		return "", err
	}
	d := a.doing(a.attempt, turns[len(turns)-1].Task)
	if a.task == agents.TaskPlanKata {
		d.MaxAttempts = 1 // a plan is asked for again, never attempted again
	}
	res, err := l.send(ctx, a.turn, d, l.redacted(prompt), a.log)
	a.usage = a.usage.Plus(res.Usage)
	if e, ok := errors.AsType[*llm.Error](err); ok && badAnswer(e.Kind) {
		return "", &agents.PlanError{Problems: []gates.Finding{{Seen: e.Message, Remedy: "answer shorter, and in the form that was asked for"}}}
	}
	if err != nil {
		err = fmt.Errorf("ask the %s: %w", a.role, err)
	}
	return res.Text, err
}
