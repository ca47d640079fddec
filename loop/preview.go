package loop

import (
	"context"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gates"
)

// Preview is what the role whose turn it is would be sent first if its step began now.
type Preview struct {
	Step   int
	Role   gates.Role
	Model  string // as the commit would name it
	Task   string
	Prompt agents.Prompt
}

// Preview makes the first prompt of the next step and sends it nowhere. HEAD is measured
// unless its facts are on record.
func (l *Loop) Preview(ctx context.Context) (Preview, error) {
	s, err := l.begin(ctx, dispute{})
	if err != nil {
		return Preview{}, err
	}
	s.talk = []agents.Turn{{Task: s.firstTask(), Attempt: 1}}
	prompt, err := l.outgoing(s)
	return Preview{Step: s.number(), Role: s.role, Model: s.model.Name, Task: s.firstTask(), Prompt: prompt}, err
}

func (s *step) firstTask() string {
	if s.told.Works {
		return agents.TaskWork
	}
	return agents.TaskEdit
}
