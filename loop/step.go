package loop

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/testrun"
)

// turn is all that a step knows before it asks a model.
type turn struct {
	head    gitx.Head
	commit  gitx.Commit
	project *check.Project
	pos     gates.Position
	role    gates.Role
	plays   gates.Role
	model   Answerer
	before  testrun.Result
	dirty   map[string]gitx.State

	material agents.Brief    // all that the role could be shown
	seen     map[string]bool // the files that the last prompt showed whole

	plan  string
	usage llm.Usage
	log   *stepLog
	start time.Time
}

func (t *turn) number() int { return t.pos.Step.Number + 1 }

func (t *turn) doing(attempt int, what string) Doing {
	return Doing{
		Step: t.number(), Role: t.role, Model: t.model.Name, Attempt: attempt,
		MaxAttempts: t.project.Settings.MaxAttempts, What: what,
	}
}

// Step takes one role step. A *StopError says why it was not taken.
func (l *Loop) Step(ctx context.Context) (Accepted, error) {
	t, err := l.begin(ctx)
	if err != nil {
		return Accepted{}, err
	}
	done, err := l.attempts(ctx, t)
	if err != nil && ctx.Err() != nil && done.Commit == "" && !errors.Is(err, ctx.Err()) {
		err = fmt.Errorf("%w: %s", ctx.Err(), err.Error()) // whatever else it looked like
	}
	t.log.end(done, err)
	l.record(l.journal.save(t.log))
	return done, err
}

// begin finds out whose turn it is and whether a step can be taken at all,
// before any model is asked.
func (l *Loop) begin(ctx context.Context) (*turn, error) {
	t := &turn{start: time.Now()}
	if err := l.where(ctx, t); err != nil {
		return nil, err
	}
	if err := l.who(ctx, t); err != nil {
		return nil, err
	}
	t.log = newStepLog(t, l.opts.Redact)
	if err := l.measureBefore(ctx, t); err != nil {
		return nil, err
	}
	if err := l.lookAtDirt(ctx, t); err != nil {
		return nil, err
	}
	return t, l.material(ctx, t)
}

// where reads HEAD, its project and its position.
func (l *Loop) where(ctx context.Context, t *turn) error {
	var err error
	if t.head, err = l.opts.Repo.Head(ctx); err != nil {
		return err
	}
	switch {
	case t.head.Unborn():
		return fmt.Errorf("%w: there is no commit yet; `git tdd init` makes the first", ErrNotReady)
	case t.head.Detached():
		return fmt.Errorf("%w: HEAD is detached, so a step would belong to no branch; `git switch -c NAME` makes one", ErrNotReady)
	}
	if l.branch != "" && l.branch != t.head.Branch {
		return fmt.Errorf("%w: HEAD is on %s now, and this run works on %s; switch back, or start a run here", ErrNotReady, t.head.Branch, l.branch)
	}
	l.branch = t.head.Branch
	if t.commit, err = l.opts.Repo.Commit(ctx, string(t.head.Commit)); err != nil {
		return err
	}
	t.project, err = l.opts.Checker.Project(ctx, t.head.Tree)
	if t.project != nil && t.project.File == "" {
		return fmt.Errorf("%w: HEAD has no %s; `git tdd init` adds one", ErrNotReady, config.FileName)
	}
	if err != nil {
		return err
	}
	t.pos, err = l.opts.Checker.Position(ctx, t.head.Commit)
	return err
}

// ErrNotReady says that the repository is not in a state to take a step in.
var ErrNotReady = errors.New("not ready for a step")

// who finds the role and the way to its model.
func (l *Loop) who(ctx context.Context, t *turn) error {
	if special, _ := commitmsg.Parse(t.commit.Message).Get(gates.KeyOutcome); special == string(gates.Complete) {
		return &StopError{Reason: Done, Text: "HEAD says that the kata is complete; add a criterion to it, or a failing test, to go on"}
	}
	settings := t.project.Settings
	t.role = check.Turn(settings, t.pos)
	t.plays = settings.Plays(t.role)
	if settings.Roles[t.role].By == config.ByHuman {
		return l.yours(ctx, t)
	}
	var err error
	t.model, err = l.opts.Answerer(settings, t.role)
	return err
}

// measureBefore gets the facts of HEAD and holds the trailers against them.
func (l *Loop) measureBefore(ctx context.Context, t *turn) error {
	l.doing(t.doing(0, "facts of HEAD"))
	var err error
	if t.before, err = l.opts.Checker.Of(ctx, t.project, t.head.Tree); err != nil {
		return err
	}
	f := t.before.Facts
	if !f.Finished() {
		return &StopError{Reason: Unjudged, Text: fmt.Sprintf(
			"the tests of HEAD did not finish (%s), so nothing can be judged against them; `git tdd doctor` looks for the cause\n%s",
			f.Class(), l.opts.Redact(tail(t.before.Runs, outputLines)))}
	}
	base, err := l.opts.Checker.Base(ctx, t.project, t.pos)
	if err != nil {
		return err
	}
	if text := gates.Contradiction(t.pos, f, base); text != "" {
		return &StopError{Reason: Contradicted, Text: text + "; bring HEAD back to what its step says (git revert, or repair it in a fix: or chore: commit), then try again"}
	}
	return nil
}

// attempts tries until the gates accept or there is no point in going on.
func (l *Loop) attempts(ctx context.Context, t *turn) (Accepted, error) {
	var feedback *agents.Feedback
	last := attempt{}
	repeats := 0
	for n := 1; n <= t.project.Settings.MaxAttempts; n++ {
		a, err := l.attempt(ctx, t, n, feedback)
		if err != nil {
			return Accepted{}, stopFor(err)
		}
		if a.accepted() {
			return l.commit(ctx, t, a)
		}
		if err := l.refuse(ctx, t, &a); err != nil {
			return Accepted{}, err
		}
		if a.sameAs(last) {
			repeats++
		} else {
			repeats = 1
		}
		if repeats == maxRepeats {
			return Accepted{}, &StopError{Reason: NoProgress, Text: fmt.Sprintf(
				"the %s failed the same way %d times in a row: %s", t.role, repeats, a.findings[0])}
		}
		feedback, last = a.feedback(), a
	}
	return Accepted{}, outOfAttempts(t, last)
}

// maxRepeats is how often the same failure may repeat before the circuit opens.
const maxRepeats = 3

// outputLines is how much of the output goes back to a model.
const outputLines = 30

func outOfAttempts(t *turn, last attempt) error {
	reason := Stuck
	if last.unjudged {
		reason = Unjudged
	}
	return &StopError{Reason: reason, Text: fmt.Sprintf(
		"the %s used up its %d attempts; the last was refused: %s\nThe attempts are kept: git log --oneline --glob='refs/tdd/attempts/*' --no-walk",
		t.role, t.project.Settings.MaxAttempts, last.findings[0])}
}

// stopFor turns what a model's client reports into a stop.
func stopFor(err error) error {
	e, ok := errors.AsType[*llm.Error](err)
	if !ok {
		return err
	}
	if e.Kind == llm.KindBudget {
		return &StopError{Reason: Budget, Text: e.Error(), Err: err}
	}
	return &StopError{Reason: NoAnswer, Text: e.Error(), Err: err}
}
