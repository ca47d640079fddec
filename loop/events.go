package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/llm"
)

// EventKind says what happened.
type EventKind string

// The kinds of events.
const (
	EventDoing    EventKind = "doing"    // something that takes time begins: What
	EventAnswer   EventKind = "answer"   // a model has answered, or failed to
	EventRefused  EventKind = "refused"  // an attempt was refused: Findings
	EventReviewed EventKind = "reviewed" // the reviewer has answered: What came of it; Findings are points without evidence
	EventPlanned  EventKind = "planned"  // the planner's commit has landed: Commit
	EventDisputed EventKind = "disputed" // the red goes back to the tester: Text
	EventAccepted EventKind = "accepted" // a step has landed: Commit
	EventStopped  EventKind = "stopped"  // the run has ended, and why: Reason, Text
)

// Event is one line of .tdd/events.jsonl, which docs/events.md describes. Nothing
// is ever decided by it.
type Event struct {
	Version int        `json:"v"`
	Time    time.Time  `json:"time"`
	Run     string     `json:"run"` // the same for all events of a run
	Kind    EventKind  `json:"event"`
	Branch  string     `json:"branch"`
	Step    int        `json:"step,omitempty"`
	Role    gates.Role `json:"role,omitempty"`
	Model   string     `json:"model,omitempty"`
	Attempt int        `json:"attempt,omitempty"`
	What    string     `json:"what,omitempty"`
	In      int        `json:"in,omitempty"` // tokens of one answer, or of a whole step that was accepted
	Out     int        `json:"out,omitempty"`
	Cached  int        `json:"cached,omitempty"`
	Cost    float64    `json:"cost,omitempty"`
	// Findings say why an attempt was refused.
	Findings []string    `json:"findings,omitempty"`
	Ref      string      `json:"ref,omitempty"` // keeps the attempt
	Commit   string      `json:"commit,omitempty"`
	Phase    gates.Phase `json:"phase,omitempty"`
	Subject  string      `json:"subject,omitempty"`
	Tests    string      `json:"tests,omitempty"`
	Reason   Reason      `json:"reason,omitempty"` // empty where the run ended with an error
	Text     string      `json:"text,omitempty"`
	Seconds  float64     `json:"seconds,omitempty"` // of the answer, or of the step
}

// eventsFile is the stream's name below .tdd, and oldEvents that of its past.
const (
	eventsFile = "events.jsonl"
	oldEvents  = "events.old.jsonl"
)

// maxEvents is the size from which on a new run begins the stream anew, in bytes.
const maxEvents = 8 << 20

// event writes an event of a run; a preview is none.
func (l *Loop) event(e Event) {
	if l.run == "" {
		return
	}
	e.Version, e.Time, e.Run, e.Branch = 1, time.Now().UTC(), l.run, gitx.Head{Branch: l.branch}.Name()
	e.Text = l.opts.Redact(e.Text)
	l.record(l.journal.append(e))
}

// takeWatched takes a step and tells why none was taken.
func (l *Loop) takeWatched(ctx context.Context, d dispute) (Accepted, error) {
	if l.run == "" {
		l.run = fmt.Sprintf("%s-%d", time.Now().UTC().Format("20060102T150405.000"), os.Getpid())
	}
	done, err := l.take(ctx, d)
	if err != nil {
		l.stopped(err)
	}
	return done, err
}

// event is an event of a step.
func (t turn) event(kind EventKind, attempt int) Event {
	return Event{Kind: kind, Step: t.number(), Role: t.role, Model: t.model.Name, Attempt: attempt}
}

// used adds to an event what models used.
func (e Event) used(u llm.Usage, took time.Duration) Event {
	e.In, e.Out, e.Cached, e.Cost, e.Seconds = u.Prompt, u.Completion, u.Cached, u.Cost, took.Seconds()
	return e
}

func (l *Loop) landed(s *step, done Accepted) {
	e := s.event(EventAccepted, done.Attempts).used(done.Tokens, done.Took)
	e.Commit, e.Phase, e.Subject, e.Tests = string(done.Commit), done.Step.Phase, done.Subject, done.Step.Tests
	e.Model = done.Step.Model
	l.event(e)
}

// stopped tells why a run ends.
func (l *Loop) stopped(err error) {
	e := Event{Kind: EventStopped, Text: err.Error()}
	if stop, ok := errors.AsType[*StopError](err); ok {
		e.Reason, e.Text = stop.Reason, stop.Text
	}
	l.event(e)
}

func (j journal) append(e Event) error {
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode an event: %w", err)
	}
	dir, err := j.begin()
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()
	info, err := dir.Lstat(eventsFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("look at .tdd/%s: %w", eventsFile, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("write .tdd/%s: it is no plain file", eventsFile)
	case info.Size() > maxEvents:
		if err := dir.Rename(eventsFile, oldEvents); err != nil {
			return fmt.Errorf("begin .tdd/%s anew: %w", eventsFile, err)
		}
	}
	f, err := dir.OpenFile(eventsFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write .tdd/%s: %w", eventsFile, err)
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}
