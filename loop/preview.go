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
	prompt, err := l.outgoing(ctx, s)
	return Preview{Step: s.number(), Role: s.role, Model: s.model.Name, Task: s.firstTask(), Prompt: prompt}, err
}

// turnOf is the turn of a role at a position, whether or not it is next.
func (l *Loop) turnOf(ctx context.Context, at position, role gates.Role) (turn, error) {
	settings := at.project.Settings
	if role == "" || role == check.Turn(settings, at.history) {
		return l.whoseTurn(ctx, at, dispute{})
	}
	t := turn{position: at, role: role, plays: settings.Plays(role)}
	switch {
	case t.plays == "":
		return t, fmt.Errorf("%w: there is no role %s; the rotation is %s", ErrNotReady, role, join(words(settings.Rotation), len(settings.Rotation)))
	case settings.Roles[role].By == config.ByHuman:
		return t, fmt.Errorf("%w: the %s is a person, who is sent nothing", ErrNotReady, role)
	}
	var err error
	t.model, err = l.opts.Answerer(settings, role)
	return t, err
}

// firstTask is what a step asks for first.
func (s *step) firstTask() string {
	switch {
	case s.told.Works:
		return agents.TaskWork
	case s.told.Planning == agents.Separate:
		return agents.TaskPlan
	}
	return agents.TaskEdit
}

// words are roles as texts.
func words(roles []gates.Role) []string {
	out := make([]string, len(roles))
	for i, r := range roles {
		out[i] = string(r)
	}
	return out
}
