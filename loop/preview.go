package loop

import (
	"context"
	"fmt"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
)

// Preview is what a role would be sent first if its step began now.
type Preview struct {
	Step   int
	Role   gates.Role
	Model  string // as the commit would name it
	Task   string
	Prompt agents.Prompt
}

// Preview makes the first prompt of a step and sends it nowhere. The role is
// the one whose turn it is, or another by name; of a reviewer it is the prompt about
// the last step. HEAD is measured unless its
// facts are on record.
func (l *Loop) Preview(ctx context.Context, role gates.Role) (Preview, error) {
	at, err := l.position(ctx)
	if err != nil {
		return Preview{}, err
	}
	if role == config.Planner {
		return l.previewPlan(ctx, at)
	}
	if role == config.Reviewer {
		return l.previewReview(ctx, at)
	}
	turn, err := l.turnOf(ctx, at, role)
	if err != nil {
		return Preview{}, err
	}
	s, err := l.prepare(ctx, turn)
	if err != nil {
		return Preview{}, err
	}
	s.talk = []agents.Turn{{Task: s.firstTask(), Attempt: 1}}
	prompt, err := l.outgoing(s)
	return Preview{Step: s.number(), Role: s.role, Model: s.model.Name, Task: s.firstTask(), Prompt: prompt}, err
}

func (l *Loop) turnOf(ctx context.Context, at position, role gates.Role) (turn, error) {
	settings := at.project.Settings
	if role == "" || role == check.Turn(settings, at.history) {
		return l.whoseTurn(ctx, at, dispute{})
	}
	t := turn{position: at, role: role, plays: settings.Plays(role)}
	switch {
	case t.plays == "":
		return t, fmt.Errorf("%w: there is no role %s; the rotation is %s", ErrNotReady, role, join(words(settings.Rotation), len(settings.Rotation)))
	case settings.Roles[role].ByHuman():
		return t, fmt.Errorf("%w: the %s is a person, who is sent nothing", ErrNotReady, role)
	}
	return l.toAsk(t)
}

func (s *step) firstTask() string {
	if s.told.Works {
		return agents.TaskWork
	}
	return agents.TaskEdit
}

func words(roles []gates.Role) []string {
	out := make([]string, len(roles))
	for i, r := range roles {
		out[i] = string(r)
	}
	return out
}

// previewReview is what the reviewer would have been sent of the last step.
func (l *Loop) previewReview(ctx context.Context, at position) (Preview, error) {
	switch {
	case !at.project.Settings.Advised(config.Reviewer):
		return Preview{}, fmt.Errorf("%w: there is no reviewer; write roles: {reviewer: {model: NAME}}", ErrNotReady)
	case !at.history.Started():
		return Preview{}, fmt.Errorf("%w: no step has been taken, so there is nothing to review", ErrNotReady)
	}
	s, v, err := l.lastStep(ctx, at)
	if err != nil {
		return Preview{}, err
	}
	who, err := l.advisedBy(s.turn, config.Reviewer)
	if err != nil {
		return Preview{}, err
	}
	change, err := l.reviewed(ctx, s, v)
	if err != nil {
		return Preview{}, err
	}
	return l.previewAdviser(who, &change, agents.Turn{Task: agents.TaskReview, Attempt: max(1, v.step.Attempts)})
}

// previewAdviser is the first prompt of an adviser.
func (l *Loop) previewAdviser(who turn, q shrinking, t agents.Turn) (Preview, error) {
	prompt, err := who.fitted(q, []agents.Turn{t})
	return Preview{Step: who.number(), Role: who.role, Model: who.model.Name, Task: t.Task, Prompt: l.redacted(prompt)}, err
}

// lastStep is the last step of a history as it was before it was committed.
func (l *Loop) lastStep(ctx context.Context, at position) (*step, *verdict, error) {
	last := at.history.Step
	commit, err := l.opts.Repo.Commit(ctx, at.history.Commit)
	if err != nil {
		return nil, nil, err
	}
	s := &step{turn: turn{position: at, role: last.Role, plays: at.project.Settings.Plays(last.Role)}}
	s.history = gates.Position{Step: gates.Step{Number: last.Number - 1}}
	s.head.Tree = ""
	before, err := l.parent(ctx, commit)
	if err == nil && before != nil {
		s.head.Tree = before.Tree
		s.history, err = l.opts.Checker.Position(ctx, before.ID)
	}
	if err != nil {
		return nil, nil, err
	}
	measured, err := l.opts.Checker.Of(ctx, at.project, s.head.Tree)
	if err != nil {
		return nil, nil, err
	}
	s.before = measured.Facts
	measured, err = l.opts.Checker.Of(ctx, at.project, commit.Tree)
	return s, &verdict{tree: commit.Tree, step: last, after: measured.Facts}, err
}

// previewPlan is what the planner would be sent now.
func (l *Loop) previewPlan(ctx context.Context, at position) (Preview, error) {
	if !at.project.Settings.Advised(config.Planner) {
		return Preview{}, fmt.Errorf("%w: there is no planner; write roles: {planner: {model: NAME}}", ErrNotReady)
	}
	t, err := l.advisedBy(turn{position: at}, config.Planner)
	if err != nil {
		return Preview{}, err
	}
	measured, err := l.opts.Checker.Of(ctx, at.project, at.head.Tree)
	if err != nil {
		return Preview{}, err
	}
	a, err := l.architect(ctx, t, measured.Facts)
	if err != nil {
		return Preview{}, err
	}
	return l.previewAdviser(t, &a, agents.Turn{Task: agents.TaskPlanKata, Attempt: 1})
}
