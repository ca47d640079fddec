package gates

import (
	"cmp"
	"slices"

	"github.com/git-tdd/git-tdd/commitmsg"
)

// Case is everything that a judgement may depend on, in the order in which it becomes
// known. Gates read nothing else.
type Case struct {
	Premise
	Measured
	Worth
}

// Premise is what is known of a commit before its tree is measured: who makes it, what it
// says and changes, and what was there before.
type Premise struct {
	Role  Role  // who makes the step; empty for a commit outside the loop
	Plays Role  // the role whose rules apply; Role itself unless that is a custom one
	Rules Rules // of Role, if it plays Keeper
	Agent bool  // a model proposed it
	Merge bool  // it has several parents
	// Derived marks a part of a change that was taken apart: nobody committed it by
	// itself, so only what was measured counts, and how many tests it adds does not.
	Derived bool
	// Cycle is set if the commit brings tests and code together, and may: its red is
	// derived.
	Cycle bool
	// FixupOf is the role whose step a fixup!, squash! or amend! is for. It takes
	// no step itself, but once it is folded in it belongs to that step.
	FixupOf Role
	// FixupOpens is set if such a commit is for the step that opened an acceptance test.
	FixupOpens bool
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
	Dispute  Dispute  // if it disputes the open red
	Listed   []int    // the acceptance criteria of the kata
	// Withdrawn has the open acceptance tests that a revert takes back, and nothing else.
	Withdrawn []string

	Change    Change
	Policy    Policy
	Protected []string // patterns of paths that agents must not touch

	Before Facts // of the parent's tree
	// Base is the last complete facts before the red that Before shows, or of the
	// last step; nil if the history has none. Without it, the trailers of the last
	// step tell which failures are old.
	Base *Facts
}

// Measured is what the tests show of a commit's tree. It is the zero value while only the
// static gates are asked.
type Measured struct {
	After Facts // of the commit's tree
	// Red is what the derived red of a cycle showed.
	Red []Red
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
	// Unused are the names that the commit declares and that nothing mentions.
	Unused []Name
	// RedText is the content of the files of the open reds, by path, before the commit;
	// nil if nothing asks for it.
	RedText map[string]string
	// Serves is the acceptance criterion that an agent's characterization names, if
	// passing tests do not cover the whole of it yet; 0 if there is none.
	Serves int
	// Vanished has the words that the sources of before had and those of now have
	// nowhere; nil unless the commit retires something.
	Vanished map[string]bool
	// Merged is what the commit is relative to each other parent; nil if it is not a
	// merge.
	Merged []Side
}

// Worth is what the tests of a commit are worth.
type Worth struct {
	Evidence *Evidence // nil if it was not measured
	Answers  []Answer  // that differ from those of before, where no test asks
	Values   []Mutant  // that a refactoring spells out otherwise than before, where no test asks: each put back
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

// Gate is one rule: a name, what it demands and why, and a pure function.
type Gate struct {
	Name   string
	Who    string           // to whom it applies, for people
	Doc    string           // what it demands, why, and how to satisfy it
	Judges func(*Case) bool // whether the gate applies to a case
	// Static and Run are the findings, without the gate's name: those that need no facts of
	// the commit's tree, so that they are known before anything is measured, and the others.
	// Either may be nil.
	Static func(*Premise) []Finding
	Run    func(*Case) []Finding
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
	return Each(slices.DeleteFunc(All(), func(g Gate) bool { return !g.Judges(c) }), Gate.name)
}

func (g Gate) name() string { return g.Name }

// JudgeStatic asks what needs no facts of the commit's tree.
func JudgeStatic(p *Premise) Verdict {
	return judge(&Case{Premise: *p}, func(g Gate) []Finding { return g.static(p) })
}

// JudgeScope asks only what may be touched, of a change whose message and facts
// are not there yet.
func JudgeScope(p *Premise) Verdict {
	return judge(&Case{Premise: *p}, func(g Gate) []Finding {
		if g.Name == "protected" || g.Name == "scope" {
			return g.static(p)
		}
		return nil
	})
}

// Judge asks every gate everything.
func Judge(c *Case) Verdict {
	return judge(c, func(g Gate) []Finding {
		found := g.static(&c.Premise)
		if g.Run != nil {
			found = append(found, g.Run(c)...)
		}
		return found
	})
}

func (g Gate) static(p *Premise) []Finding {
	if g.Static == nil {
		return nil
	}
	return g.Static(p)
}

func judge(c *Case, ask func(Gate) []Finding) Verdict {
	v := Verdict{Judged: true}
	for _, g := range All() {
		if c.Derived && g.Static != nil || !g.Judges(c) {
			continue
		}
		for _, f := range ask(g) {
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
func (c *Premise) Next() Step {
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

func (c *Premise) inLoop() bool { return c.Plays != "" }

// rules is the role whose rules say what may be touched.
func (c *Premise) rules() Role { return cmp.Or(c.Plays, c.FixupOf) }
