package loop

import (
	"context"
	"fmt"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
)

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
	change, _, err := l.reviewed(ctx, s, v)
	if err == nil {
		err = l.guideReviewer(ctx, who, &change)
	}
	if err != nil {
		return Preview{}, err
	}
	prompt, err := s.fitReview(&change, []agents.Turn{{Task: agents.TaskReview, Attempt: max(1, v.step.Attempts)}})
	for i := range prompt.Messages {
		prompt.Messages[i].Content = l.opts.Redact(prompt.Messages[i].Content)
	}
	return Preview{Step: s.number(), Role: who.role, Model: who.model.Name, Task: agents.TaskReview, Prompt: prompt}, err
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
