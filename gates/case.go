package gates

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/commitmsg"
)

// Case is everything that a judgement may depend on. Gates read nothing else.
type Case struct {
	Role  Role  // who makes the step; empty for a commit outside the loop
	Plays Role  // the role whose rules apply; Role itself unless that is a custom one
	Rules Rules // of Role, if it plays Keeper
	Agent bool  // a model proposed it
	// Derived marks a part of a change that was taken apart: nobody committed it by
	// itself, so only what was measured counts, and how many tests it adds does not.
	Derived bool
	// Cycle is set if the commit brings tests and code together, and may: its red is
	// derived. Red is what that showed.
	Cycle bool
	Red   []Red
	// FixupOf is the role whose step a fixup!, squash! or amend! is for. It takes
	// no step itself, but once it is folded in it belongs to that step.
	FixupOf Role
	// Adrift is set if such a commit is for none of the history.
	Adrift bool
	// Restores is the earlier commit whose very tree a revert brings back; empty if
	// it does not.
	Restores string
	Reverts  *Reverts // nil unless the commit says that it takes others back
	// Expected is whose turn it is by the rotation. Agents must follow it.
	Expected Role
	Message  commitmsg.Message
	Position Position // before the commit
	Special  Special  // what the commit declares itself to be

	Before Facts // of the parent's tree
	// Base is the last complete facts before the red that Before shows, or of the
	// last step; nil if the history has none. Without it, the trailers of the last
	// step tell which failures are old.
	Base  *Facts
	After Facts // of the commit's tree; the zero value while only the static gates are asked
	// Crossed is the facts of the new sources with the old tests; nil if no test
	// changed, or if they are not needed.
	Crossed *Facts
	// Reversed is nil if no test changed, or if no known red shows whether the
	// tests still check anything.
	Reversed *Reversed
	// Own is the facts of the commit's tree under its own commands; nil if those
	// are its parent's.
	Own *Facts
	// Deafened are the sources that may hold no code at all, and those commands succeed,
	// known by their exit code alone, where the parent's failed.
	Deafened []string
	// Flaky names the tests whose results differed when the measurement was
	// repeated to confirm it.
	Flaky []string
	// Settled names the old tests that failed in one run and passed in another, and that
	// the commit cannot have touched: they count as passed.
	Settled []string
	// Unsteady are the ids of tests of before that another run of that very tree does not
	// have.
	Unsteady []string
	// Unused are the names that the commit declares and that nothing mentions, or no test
	// reaches.
	Unused []Name
	// Evidence is nil if it was not measured.
	Evidence *Evidence
	Answers  []Answer // that differ from those of before, where no test asks
	Values   []Mutant // that a refactoring spells out otherwise than before, where no test asks: each put back

	Change Change
	// RedText is the content of the files of the open reds, by path, before the commit;
	// nil if nothing asks for it.
	RedText map[string]string
	Dispute Dispute // if it disputes the open red
	// Serves is the acceptance criterion that an agent's characterization names, if
	// passing tests do not cover the whole of it yet; 0 if there is none.
	Serves int
	Listed []int // the acceptance criteria of the kata
	// FixupOpens is set if such a commit is for the step that opened an acceptance test.
	FixupOpens bool
	// Withdrawn has the open acceptance tests that a revert takes back, and nothing else.
	Withdrawn []string
	// Vanished has the words that the sources of before had and those of now have
	// nowhere; nil unless the commit retires something.
	Vanished map[string]bool
	// Merged is what the commit is relative to each other parent; nil if it is not a
	// merge.
	Merged    []Side
	Policy    Policy
	Protected []string // patterns of paths that agents must not touch
}

// Side is another parent of a merge.
type Side struct {
	Change Change     // from that parent to the merge
	Facts  Facts      // of that parent's tree
	Fork   Facts      // of the tree that it and the first parent have in common
	Ours   Change     // from that to the first parent
	Theirs Change     // from that to this parent
	Open   []OpenTest // acceptance tests that are open there
}

// Finding is one reason to refuse. The same finding serves the person at the
// terminal, the model as feedback, and CI as an annotation.
type Finding struct {
	Gate   string `json:"gate"`
	Path   string `json:"path,omitempty"`
	Line   int    `json:"line,omitempty"`
	Test   string `json:"test,omitempty"`
	Seen   string `json:"seen"`   // what was seen
	Remedy string `json:"remedy"` // what to do next
	// Owner is the role that has to act, if it is not the one whose step this is.
	Owner Role `json:"owner,omitempty"`
	// Unjudged marks a finding that is not a verdict, because the run did not
	// finish.
	Unjudged bool `json:"unjudged,omitempty"`
	// Note marks a finding that is not a reason to refuse: the gate could not
	// tell, and says so.
	Note bool `json:"note,omitempty"`
	// Told marks a note that would be a refusal, if the policy did not only tell.
	Told bool `json:"told,omitempty"`
	// Doubt marks a note that belongs beside the verdict: what was measured may not be
	// what others will see.
	Doubt bool `json:"doubt,omitempty"`
	// Mutant is the small error by which it was seen; the zero value if there is none.
	// Who can shows its two lines as a diff.
	Mutant Mutant `json:"mutant,omitzero"`
}

// where is the place of a finding; empty if it has none.
func (f Finding) where() string {
	var where []string
	if f.Path != "" {
		at := f.Path
		if f.Line > 0 {
			at = fmt.Sprintf("%s:%d", f.Path, f.Line)
		}
		where = append(where, at)
	}
	if f.Test != "" {
		where = append(where, f.Test)
	}
	return strings.Join(where, ", ")
}

// String is the finding in one line.
func (f Finding) String() string {
	text := f.Gate + ": "
	if where := f.where(); where != "" {
		text += where + ": "
	}
	return text + f.Seen + f.Mutant.lines() + " → " + f.Remedy
}

// Shown is the finding in one line, and below it the small error as a diff: the line as
// it is, and as it was made.
func (f Finding) Shown() string {
	at, m := f.where(), f.Mutant
	f.Mutant = Mutant{}
	return f.String() + m.diff(at)
}

// Verdict is the answer of all gates to one case.
type Verdict struct {
	Findings []Finding `json:"findings"`
	// Notes say what a gate could not tell about a case without findings.
	Notes []Finding `json:"notes,omitempty"`
	// Judged is false if a run did not finish: then the case is neither
	// accepted nor refused.
	Judged bool `json:"judged"`
}

// Accepted reports whether no gate objects.
func (v Verdict) Accepted() bool { return v.Judged && len(v.Findings) == 0 }

// Add adds what was found of a part of the case.
func (v *Verdict) Add(part Verdict) {
	for _, f := range part.Findings {
		if !slices.Contains(v.Findings, f) {
			v.Findings = append(v.Findings, f)
		}
	}
	v.Judged = v.Judged && part.Judged
	if v.Notes = append(v.Notes, part.Notes...); len(v.Findings) > 0 {
		v.Notes = nil
	}
}

// Gate is one rule: a name, what it demands and why, and a pure function.
type Gate struct {
	Name string
	Who  string // to whom it applies, for people
	Doc  string // what it demands, why, and how to satisfy it
	// Static gates need no facts of the commit's tree, so they are asked before
	// anything is measured.
	Static bool
	Judges func(*Case) bool      // whether the gate applies to a case
	Run    func(*Case) []Finding // the findings, without the gate's name
}

// All lists the gates in the order in which they are asked.
func All() []Gate {
	return []Gate{
		messageGate(), turnGate(), protectedGate(), scopeGate(), sizeGate(),
		redGate(), acceptanceGate(), greenGate(), sameTestsGate(), coverageGate(), stayGreenGate(), hollowGate(), strengthGate(),
	}
}

// Asked names the gates that apply to a case.
func Asked(c *Case) []string {
	var names []string
	for _, g := range All() {
		if g.Judges(c) {
			names = append(names, g.Name)
		}
	}
	return names
}

// JudgeStatic asks the gates that need no facts of the commit's tree.
func JudgeStatic(c *Case) Verdict { return judge(c, func(g Gate) bool { return g.Static }) }

// JudgeScope asks only what may be touched, of a change whose message and facts
// are not there yet.
func JudgeScope(c *Case) Verdict {
	return judge(c, func(g Gate) bool { return g.Name == "protected" || g.Name == "scope" })
}

// Judge asks every gate.
func Judge(c *Case) Verdict { return judge(c, func(Gate) bool { return true }) }

func judge(c *Case, asked func(Gate) bool) Verdict {
	v := Verdict{Judged: true}
	for _, g := range All() {
		if !asked(g) || c.Derived && g.Static || !g.Judges(c) {
			continue
		}
		for _, f := range g.Run(c) {
			f.Gate = g.Name
			if f.Note {
				v.Notes = append(v.Notes, f)
				continue
			}
			v.Findings = append(v.Findings, f)
			v.Judged = v.Judged && !f.Unjudged
		}
	}
	if len(v.Findings) > 0 {
		v.Notes = nil
	}
	return v.Enforced(c)
}

// Next is the step that the commit takes: its number, role, cycle and phase.
func (c *Case) Next() Step {
	s := c.Position.Following(c.Role, c.Plays)
	if c.Cycle {
		s = c.Position.Together(c.Role)
	}
	if c.Special == Characterization || c.Withdraws() || c.Opens() {
		s.Phase = PhaseGreen // it leaves no red to answer
	}
	return s
}

func always(*Case) bool { return true }

func inLoop(c *Case) bool { return c.Plays != "" }

// rules is the role whose rules say what may be touched.
func (c *Case) rules() Role {
	if c.Plays != "" {
		return c.Plays
	}
	return c.FixupOf
}

func plays(r Role) func(*Case) bool {
	return func(c *Case) bool { return c.Plays == r }
}
