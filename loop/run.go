package loop

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gates"
)

// Run takes up to the given number of role steps and returns those that landed.
// Where it would stop because a role gets no further, it asks the person, if there
// is one. A *StopError says why it ended earlier; after the last step the error is
// nil.
func (l *Loop) Run(ctx context.Context, steps int) ([]Accepted, error) {
	var done []Accepted
	var answer Answer
	for len(done) < steps || l.rest != nil {
		a, err := l.answered(ctx, answer)
		if answer = (Answer{}); err != nil {
			if answer, err = l.asked(ctx, err); err != nil {
				return done, err
			}
			continue
		}
		done = append(done, a)
	}
	return done, nil
}

// Question is what a person is asked where a run would stop.
type Question struct {
	Stop *StopError
	Role gates.Role // whose step it is
	Ways []Way      // that there are, [WayStop] last
}

// Way is one way on.
type Way string

// The ways on.
const (
	WayAgain Way = "again" // the role tries again; what the person says is shown to it, except in isolation
	WaySkip  Way = "skip"  // the step is left out, or the red goes back to the tester, with what the person says
	WayMine  Way = "mine"  // the person takes the step, and the run ends
	WayStop  Way = "stop"  // the run ends as it would have
)

// Answer is what a person chose. The zero value is none.
type Answer struct {
	Way  Way
	Text string
}

// asked asks the person how to go on after an error; without one, it returns the error.
func (l *Loop) asked(ctx context.Context, err error) (Answer, error) {
	stop, ok := errors.AsType[*StopError](err)
	if !ok || l.opts.Person == nil || !slices.Contains([]Reason{Stuck, NoProgress, MaxCycles, Unmet, Disputed}, stop.Reason) {
		return Answer{}, err
	}
	at, failed := l.position(ctx)
	if failed != nil {
		return Answer{}, errors.Join(err, failed)
	}
	t, failed := l.whoseTurn(ctx, at, dispute{})
	if failed != nil {
		return Answer{}, errors.Join(err, failed)
	}
	answer, failed := l.opts.Person(ctx, Question{Stop: stop, Role: t.role, Ways: t.ways(stop.Reason)})
	switch {
	case failed != nil:
		return Answer{}, errors.Join(err, failed)
	case answer.Way == WayMine:
		return Answer{}, l.humanTurn(ctx, t, "you took it over from the "+string(t.role))
	case !slices.Contains(t.ways(stop.Reason), answer.Way) || answer.Way == WayStop:
		return Answer{}, err
	}
	return answer, nil
}

func (t turn) ways(why Reason) []Way {
	out := []Way{WayAgain}
	tests := t.plays == gates.Tester
	if !tests && why != Disputed { // a red goes back as often as agents may send it; more often a person mends it
		out = append(out, WaySkip)
	}
	return append(out, WayMine, WayStop)
}

func (l *Loop) answered(ctx context.Context, a Answer) (Accepted, error) {
	l.answer = a
	defer func() { l.answer = Answer{} }()
	if a.Way != WaySkip {
		return l.Step(ctx)
	}
	at, err := l.position(ctx)
	if err != nil {
		return Accepted{}, err
	}
	if at.history.Step.Phase == gates.PhaseRed {
		return l.Dispute(ctx, cmp.Or(a.Text, "a person gave it up"))
	}
	return l.Step(ctx)
}

func (l *Loop) leftOut(ctx context.Context, s *step, t try) (verdict, error) {
	edits := agents.EditPlan{Done: true, Notes: cmp.Or(l.answer.Text, "a person left this step out")}
	return l.nothingLeft(ctx, s, proposal{try: t, edits: edits})
}
