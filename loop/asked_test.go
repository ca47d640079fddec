package loop_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/loop"
)

// answering is a person who gives these answers, in order, and notes the questions.
func (l *lab) answering(answers ...loop.Answer) *[]loop.Question {
	var asked []loop.Question
	l.person = func(_ context.Context, q loop.Question) (loop.Answer, error) {
		asked = append(asked, q)
		if len(answers) == 0 {
			return loop.Answer{}, errors.New("nobody answers")
		}
		a := answers[0]
		answers = answers[1:]
		return a, nil
	}
	return &asked
}

const breaks = "refactor: tidy\n=== .tdd.yaml\nlanguage: generic\n"

// A person leaves out a refactoring that comes to nothing, and the run goes on.
func TestAsked_leavesTheStepOut(t *testing.T) {
	t.Parallel()
	red2 := "test: number 2\n=== tests/a2_test.sh\ntest -f src/a2.sh\n"
	l := newLab(t, shell(), red1, green1, breaks, breaks, breaks, red2)
	asked := l.answering(loop.Answer{Way: loop.WaySkip, Text: "not worth it"})
	l.steps(4)
	q := (*asked)[0]
	if q.Role != gates.Refactorer || q.Stop.Reason != loop.NoProgress || fmt.Sprint(q.Ways) != "[again skip mine stop]" {
		t.Errorf("%+v", q)
	}
	wantIn(t, l.Git("log", "-1", "--format=%B", "HEAD~1"), "Tdd-Outcome: skipped", "not worth it")
}

// What a person says is shown once, and in isolation not at all.
func TestAsked_hint(t *testing.T) {
	t.Parallel()
	for mode, shown := range map[string]bool{"open": true, "strict": false} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			wrong := "test: number 1\n=== src/b.sh\n# b\n"
			l := newLab(t, shell(".tdd.yaml", shellConfig+"isolation: "+mode+"\n"), wrong, wrong, wrong, red1, green1)
			l.answering(loop.Answer{Way: loop.WayAgain, Text: "only tests/a1_test.sh"})
			l.steps(2)
			for i, req := range l.model.edits {
				if i == 3 && shown {
					wantIn(t, conversation(req), "a person, of this very step: only tests/a1_test.sh")
				} else {
					wantNotIn(t, conversation(req), "only tests/a1_test.sh")
				}
			}
		})
	}
}

// Whatever else a person says, or nobody, ends the run as it would have ended.
func TestAsked_stops(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answers []loop.Answer
		reason  loop.Reason
	}{
		"stop":               {[]loop.Answer{{Way: loop.WayStop}}, loop.NoProgress},
		"nothing":            {[]loop.Answer{{}}, loop.NoProgress},
		"nobody":             {nil, loop.NoProgress},
		"no way of a tester": {[]loop.Answer{{Way: loop.WaySkip}}, loop.NoProgress},
		"mine":               {[]loop.Answer{{Way: loop.WayMine}}, loop.HumanTurn},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrong := "test: number 1\n=== src/b.sh\n# b\n"
			l := newLab(t, shell(), wrong, wrong, wrong, red1)
			l.answering(c.answers...)
			before := l.state()
			_, err := l.loop().Run(t.Context(), 2)
			if stop, ok := errors.AsType[*loop.StopError](err); !ok || stop.Reason != c.reason {
				t.Errorf("%v, not %s", err, c.reason)
			}
			l.same(before)
		})
	}
}
