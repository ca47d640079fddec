package loop

import (
	"fmt"
	"time"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/llm"
)

// Options says what a loop works with.
type Options struct {
	Repo    *gitx.Repo
	Checker *check.Checker
	// Answerer returns who answers for a role. It is asked once a step.
	Answerer func(config.Settings, gates.Role) (Answerer, error)
	// Redact takes secrets out of what is sent to models and of what is written
	// to plans, logs and commits; nil sends and writes all.
	Redact   func(string) string
	Listener Listener
}

// Answerer is who answers for a role.
type Answerer struct {
	Client      llm.Client
	Model       string   // the model's name at its endpoint
	Name        string   // what the commit's trailer calls it, for instance "openai:gpt-4.1-mini"
	Temperature *float64 // nil: the endpoint's own
}

// Listener is told what happens. A nil function is not called.
type Listener struct {
	Doing    func(Doing)    // before each thing that takes time
	Refused  func(Attempt)  // after each refused attempt
	Accepted func(Accepted) // after each step, when it has landed
	Note     func(string)   // what the user should know, in a line
}

// Doing is what a step is busy with.
type Doing struct {
	Step        int
	Role        gates.Role
	Model       string
	Attempt     int
	MaxAttempts int
	What        string // "facts of HEAD", "plan", "edit", "fmt", "commit"; Attempt is 0 for the first
}

// Attempt is one refused try.
type Attempt struct {
	Number   int
	Findings []string // each in one line
	Ref      string   // where its tree is kept; empty if it came to no tree
}

// Accepted is one step that has landed.
type Accepted struct {
	Step     gates.Step
	Commit   gitx.ID
	Subject  string
	Change   gates.Change
	Attempts int
	Tokens   llm.Usage
	Took     time.Duration
}

// Reason names why a step or a run ended.
type Reason string

// The reasons to stop.
const (
	Done         Reason = "done"         // nothing is left to do, and every criterion is covered
	Stuck        Reason = "stuck"        // out of attempts
	NoProgress   Reason = "no-progress"  // the same failure three times in a row
	Budget       Reason = "budget"       // tokens, time or requests are used up
	HumanTurn    Reason = "human-turn"   // a person plays the next role
	Contradicted Reason = "contradicted" // the facts of HEAD contradict its trailers
	Unjudged     Reason = "unjudged"     // the facts could not be measured
	NoAnswer     Reason = "no-answer"    // the model could not be asked
)

// StopError says why a step was not taken, or why a run ended.
type StopError struct {
	Reason Reason
	Text   string // what was seen and what to do next
	Err    error  // the cause, where there is one
}

// Error is the reason and the text.
func (s *StopError) Error() string { return fmt.Sprintf("%s: %s", s.Reason, s.Text) }

// Unwrap returns the cause.
func (s *StopError) Unwrap() error { return s.Err }

// Loop takes steps in one repository. It is not used by two goroutines at once.
type Loop struct {
	opts    Options
	journal journal
	branch  string // of the first step: a run stays on it
	lost    bool   // the user was told that the journal cannot be written
}

// New makes a loop. The caller holds the repository's lock and has run Recover.
func New(opts Options) *Loop {
	if opts.Redact == nil {
		opts.Redact = func(s string) string { return s }
	}
	return &Loop{opts: opts, journal: journal{top: opts.Repo.Top}}
}

func (l *Loop) doing(d Doing) {
	if l.opts.Listener.Doing != nil {
		l.opts.Listener.Doing(d)
	}
}

func (l *Loop) note(format string, args ...any) {
	if l.opts.Listener.Note != nil {
		l.opts.Listener.Note(fmt.Sprintf(format, args...))
	}
}

// record takes note of a journal that cannot be written. Nothing depends on it,
// so no step fails by it.
func (l *Loop) record(err error) {
	if err == nil || l.lost {
		return
	}
	l.lost = true
	l.note("plans and logs are not kept: %v", err)
}
