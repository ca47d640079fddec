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

// Options are the parts of a loop.
type Options struct {
	Repo    *gitx.Repo
	Checker *check.Checker
	// Answerer returns the model for a role. It is called once per step.
	Answerer func(config.Settings, gates.Role) (Answerer, error)
	// Redact removes secrets from what is sent to models and from what is written
	// to plans, logs and commits.
	Redact   func(string) string
	Listener Listener
	// Together asks the tester for the code in the same answer. Tests and code are judged
	// and committed as the steps of two roles all the same.
	Together bool
	// PermitPrompts is asked before a project's own words for its roles are used, and
	// its error is returned unchanged.
	PermitPrompts func(*check.Project) error
	// Seal proves that a text is this user's.
	Seal func(text []byte) (string, error)
}

// Answerer answers for a role.
type Answerer struct {
	Client      llm.Client
	Model       string   // the model's name at its endpoint
	Name        string   // what the commit's trailer calls it, for instance "openai:gpt-4.1-mini"
	Temperature *float64 // nil: the endpoint's own
	// Works says that it changes files itself, and needs to be shown none.
	Works bool
}

// Listener is told what happens. Its functions may be nil.
type Listener struct {
	Doing    func(Doing)    // before each thing that takes time
	Refused  func(Attempt)  // after each refused attempt
	Accepted func(Accepted) // after each step, when it has landed
	Note     func(string)   // what the user should know, on one line
}

// Doing is what a step is doing.
type Doing struct {
	Step        int
	Role        gates.Role
	Model       string
	Attempt     int
	MaxAttempts int
	What        string // "facts of HEAD", "plan", "edit", "fmt", "commit"; Attempt is 0 for the first
}

// Attempt is one refused attempt.
type Attempt struct {
	Number   int      `json:"attempt"`
	Findings []string `json:"findings"`      // each in one line
	Ref      string   `json:"ref,omitempty"` // where its tree is kept
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
	NoProgress   Reason = "no-progress"  // the same failure three times in a row, or two cycles that brought nothing
	MaxCycles    Reason = "max-cycles"   // a criterion has had as many cycles as it may
	Unmet        Reason = "unmet"        // the tester has nothing left, and an acceptance test is open
	Disputed     Reason = "disputed"     // a red was disputed as often as agents may
	Isolation    Reason = "isolation"    // a prompt, or what it would be made of, breaks the isolation of its role
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
	Err    error  // the cause, if there is one
}

// Error is the reason and the text.
func (s *StopError) Error() string { return fmt.Sprintf("%s: %s", s.Reason, s.Text) }

// Unwrap returns the cause.
func (s *StopError) Unwrap() error { return s.Err }

// Loop takes steps in one repository. It must not be used by several
// goroutines.
type Loop struct {
	opts    Options
	journal journal
	branch  string // of the first step: a run stays on it
	ranIn   gitx.ID
	ran     map[string][]int // the lines that the failing tests of that tree execute, by file
	taking  bool             // steps, and not only looking at the next one
	// unplanned says that the planner brought no plan in this run.
	unplanned bool
	rest      *code // of the answer whose tests have just landed
	lost      bool  // the user was told that the journal cannot be written
}

// New makes a loop. The caller must hold the repository's lock and have run
// Recover.
func New(opts Options) *Loop {
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

// record reports, once, that the journal cannot be written. No step fails because of it.
func (l *Loop) record(err error) {
	if err == nil || l.lost {
		return
	}
	l.lost = true
	l.note("plans and logs are not kept: %v", err)
}
