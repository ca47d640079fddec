package agents

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// Brief is everything that a role may be shown. Most of it was written by
// others – the kata, the code, commit messages, the output of tests – and is
// handed to the model as data, never as instructions.
type Brief struct {
	Role              gates.Role  // who makes the step
	Plays             gates.Role  // the role whose rules apply: one of the three, or gates.Keeper
	Rules             gates.Rules // of Role, where Plays is gates.Keeper
	Step, MaxAttempts int         // the step counts from 1
	Language          string
	Idiom             string // how its people write tests; empty where nobody says
	Raises            string // what code does that ends in an exception: "panics"; empty likewise
	Stub              string // the body of a function that is not written yet; empty likewise
	Inline            string // tests inside source files, in words; empty if there are none
	Kata              string // the kata's text
	Criteria          []Criterion
	LastStep          string   // what the last step did, as far as the measurements do not show it
	Plan              Plan     // of the kata
	LastCommit        string   // the last commit's message
	LastDiff          string   // what the last commit changed
	Notes             []string // what other roles noted since this one's last step
	Files             []string // of the project, those that are shown included
	Shown             []ShownFile
	Omitted           []string            // relevant files that Shown has no room for
	Outlines          map[string][]string // the declarations of those, where they are known
	OffLimits         []OffLimit
	Disputed          string       // why the open red cannot be satisfied, where the tester is asked to mend it
	Serves            int          // the criterion that the cycle serves; 0 if it names none
	Facts             gates.Facts  // of the tree that the step starts from
	Known             int          // how many tests more fail that are no part of the step
	Output            string       // of the failing run, where Facts do not tell what failed; its errors are shown first
	Before            *gates.Facts // of the tree before a red that keeps tests from running; nil otherwise
	Policy            gates.Policy
	Outer             []gates.OpenTest // the acceptance tests that are open: known to be red
	Begin             int              // the criterion that a tester is asked to begin with an acceptance test; 0 for none
	// Extend are the project's own words for the role, beside what it is told of how to
	// work. Somebody has approved them.
	Extend string
	// Both says that a tester is asked for the code that makes its test pass, too.
	Both bool
	// Works says that the role is played by an agent, which has all files and changes
	// them itself.
	Works bool

	withheld []string // what Narrow took away
}

// Criterion is one acceptance criterion of the kata.
type Criterion struct {
	ID      int
	Text    string
	Covered bool     // a passing test covers it, or a part of it
	Whole   bool     // nothing of it lacks a test, as the tester says, or its acceptance test passes
	Outer   string   // its acceptance test; empty if it has none
	By      []string // the tests that cover it
}

// AllWhole reports whether a tester's kata lists criteria, and none of them lacks a test.
func (b Brief) AllWhole() bool {
	lacks := slices.ContainsFunc(b.Criteria, func(c Criterion) bool { return !c.Whole })
	return b.Plays == gates.Tester && len(b.Criteria) > 0 && !lacks && b.Disputed == "" && len(b.Outer) == 0
}

// ShownFile is a file that is shown, whole or in part.
type ShownFile struct {
	Path     string
	Kind     gates.Kind // isolation goes by it
	Content  string
	Editable bool   // the role may change it
	Excerpt  string // of it, if it is too long to be shown whole; empty if none of it has to do with the step
	InPart   bool   // Content is the excerpt
	Far      bool   // nothing about the step speaks of it
}

// OffLimit is a path that the role must leave alone.
type OffLimit struct {
	Path string
	Why  string
}

// Turn is one question of a step's conversation and its answer.
type Turn struct {
	Task     string
	Attempt  int       // from 1
	Feedback *Feedback // what led to the question; nil at first
	More     *More     // what the role asked for; nil if it did not
	Answer   string    // empty for the question that is being asked
}

// Feedback says why the attempt before this one was refused.
type Feedback struct {
	Findings []string // what the gates found, each with a remedy
	Output   string   // of the checks; its errors are shown first
}

// FindingsText lists what the gates found.
func (f Feedback) FindingsText() string {
	return strings.Join(gates.Each(f.Findings, func(f string) string { return "- " + oneLine(f, 3*maxMessage) }), "\n")
}

// More is what a role is given that asked for it.
type More struct {
	Shown   []ShownFile
	Refused []OffLimit // the rest, and why
}

// RefusedText lists what is not given, and why.
func (m More) RefusedText() string {
	return strings.Join(gates.Each(m.Refused, func(o OffLimit) string { return o.Path + ": " + o.Why }), "\n")
}

// The tasks of a step.
const (
	TaskEdit = "edit"
	TaskMore = "more" // edits, by a role that was given what it asked for
	TaskWork = "work" // of an agent that changes files itself
)

// label names a request: "step 4 · tester · edit · attempt 1". It stands in the
// heading of the task, at the end of the last message, where recordings find it.
func (t Turn) label(step int, who string) string {
	return fmt.Sprintf("step %d · %s · %s · attempt %d", step, oneLine(who, maxItem), t.Task, t.Attempt)
}
