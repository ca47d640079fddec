package loop

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/testrun"
)

// step is a step in progress.
type step struct {
	turn
	before  gates.Facts           // of HEAD
	runs    []testrun.Run         // the commands that led to those facts
	changed map[string]int        // how many commits ago each file changed, over the last steps
	allowed []string              // the files that the role may be shown, sorted; see allows
	ran     map[string][]int      // the lines that the failing tests execute, where that was asked and is known
	dirty   map[string]gitx.State // the user's uncommitted work; grows as the user goes on working
	brief   agents.Brief          // everything that the role could be shown
	told    agents.Brief          // what it is shown, the same for the whole step
	shown   map[string]bool       // the files among it, and whether in part
	talk    []agents.Turn         // what was asked so far, and answered
	asked   bool                  // the role has asked for files or names

	started time.Time
	usage   llm.Usage // of the role
	review  reviewing
	log     *stepLog

	code  []agents.Edit // of the last answer, where tests and code are asked for together
	rest  *code         // what of it waits for its tests to land
	ready *code         // the first attempt, where it was answered together with the red
}

// Step takes one role step. A *StopError says why it was not taken. An implementor
// may dispute the red instead; then the step is the tester's.
func (l *Loop) Step(ctx context.Context) (Accepted, error) { return l.take(ctx, dispute{}) }

// take takes the step of whoever's turn it is, or of the tester whose red is disputed.
func (l *Loop) take(ctx context.Context, d dispute) (Accepted, error) {
	l.taking = true
	s, err := l.begin(ctx, d)
	if err != nil {
		return Accepted{}, err
	}
	done, err := l.attempts(ctx, s)
	if err != nil && ctx.Err() != nil && done.Commit == "" && !errors.Is(err, ctx.Err()) {
		err = fmt.Errorf("%w: %s", ctx.Err(), err.Error()) // whatever else it looks like
	}
	s.log.end(s.usage.Plus(s.review.usage), done, err)
	l.record(l.journal.save(s.log))
	if err == nil {
		l.record(l.leave(ctx))
	}
	if again, ok := errors.AsType[*disputedError](err); ok {
		return l.take(ctx, again.dispute)
	}
	return done, err
}

// begin finds out whether a step can be taken, before a model is asked.
func (l *Loop) begin(ctx context.Context, d dispute) (*step, error) {
	position, err := l.position(ctx)
	if err != nil {
		return nil, err
	}
	turn, err := l.whoseTurn(ctx, position, d)
	if err != nil {
		return nil, err
	}
	planned, err := l.planFirst(ctx, turn)
	if err != nil {
		return nil, err
	}
	if planned {
		return l.begin(ctx, d)
	}
	return l.prepare(ctx, turn)
}

func (l *Loop) prepare(ctx context.Context, turn turn) (*step, error) {
	started := time.Now()
	before, err := l.factsOfHead(ctx, &turn)
	if err != nil {
		return nil, err
	}
	dirty, err := l.dirt(ctx, turn)
	if err != nil {
		return nil, err
	}
	brief, err := l.brief(ctx, turn, before)
	if err != nil {
		return nil, err
	}
	turn.together = turn.together && brief.Begin == 0 // an acceptance test has no code of its own
	brief.Both = turn.together
	changed, err := l.changed(ctx, turn)
	if err != nil {
		return nil, err
	}
	s := &step{
		turn: turn, before: before.Facts, runs: before.Runs, dirty: dirty, brief: brief, changed: changed,
		started: started, usage: turn.dispute.used, log: newStepLog(ctx, turn, started, l.opts.Redact),
	}
	if l.rest != nil && l.rest.on == turn.head.Commit && turn.plays == gates.Implementor {
		s.ready = l.rest
	}
	l.rest = nil
	if err := l.handOver(ctx, s); err != nil {
		return nil, err
	}
	if s.brief.LastDiff, err = l.lastDiff(ctx, s); err != nil {
		return nil, err
	}
	return s, violated(l.tell(ctx, s))
}

func (l *Loop) attempts(ctx context.Context, s *step) (Accepted, error) {
	var refused []*refusedError
	t := try{number: 1}
	for {
		verdict, err := l.attempt(ctx, s, t)
		if err == nil {
			err = l.review(ctx, s, &verdict)
		}
		if err == nil {
			return l.commit(ctx, s, verdict)
		}
		r, ok := errors.AsType[*refusedError](err)
		if !ok {
			return Accepted{}, stopFor(err)
		}
		if err := l.refuse(ctx, s, r); err != nil {
			return Accepted{}, err
		}
		if r.blamesRed != "" && s.history.Step.Phase == gates.PhaseRed {
			return Accepted{}, &disputedError{dispute{why: agents.Reason(r.blamesRed), by: "what was measured", used: s.usage}}
		}
		refused = append(refused, r)
		if err := givenUp(s.turn, refused); err != nil {
			return Accepted{}, err
		}
		t = try{number: r.number + 1, feedback: &agents.Feedback{Findings: r.findings, Output: telling(r.after.Runs)}}
	}
}

// attempt is one try: edits, their tree, and the verdict. The error is a *refusedError, or final.
func (l *Loop) attempt(ctx context.Context, s *step, t try) (verdict, error) {
	if s.ready != nil {
		return l.judgeAnswered(ctx, s, t)
	}
	p, err := l.propose(ctx, s, t)
	if err != nil {
		return verdict{}, err
	}
	switch {
	case p.edits.Dispute != "":
		return verdict{}, s.disputes(p)
	case p.edits.Done && s.dispute.why != "":
		return l.withdraw(ctx, s, p)
	case p.edits.Done:
		return l.nothingLeft(ctx, s, p)
	}
	if err := l.tooManyCycles(ctx, s, p); err != nil {
		return verdict{}, err
	}
	p.edits = s.joined(p.edits)
	c, err := l.apply(ctx, s, p)
	if err == nil && s.together {
		c, err = l.takeApart(ctx, s, c)
	}
	if err != nil {
		return verdict{}, err
	}
	if s.dispute.why != "" {
		c.special = gates.Disputed
		return l.judge(ctx, s, c)
	}
	if s.plays == gates.Tester {
		return l.judgeTest(ctx, s, c)
	}
	return l.judge(ctx, s, c)
}

func stopFor(err error) error {
	e, ok := errors.AsType[*llm.Error](err)
	if !ok {
		return err
	}
	reason := NoAnswer
	if e.Kind == llm.KindBudget {
		reason = Budget
	}
	return &StopError{Reason: reason, Text: e.Error(), Err: err}
}

// Run takes up to the given number of role steps and returns those that landed. A
// *StopError says why it ended earlier; after the last step the error is nil.
func (l *Loop) Run(ctx context.Context, steps int) ([]Accepted, error) {
	var done []Accepted
	for len(done) < steps || l.rest != nil {
		a, err := l.Step(ctx)
		if err != nil {
			return done, err
		}
		done = append(done, a)
	}
	return done, nil
}
