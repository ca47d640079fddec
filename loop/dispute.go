package loop

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/llm"
)

// dispute is why nobody can satisfy the open red. The zero value is no dispute.
type dispute struct {
	why  string
	by   string         // who says so
	open gates.OpenTest // the acceptance test that is disputed; none if it is the red
	used llm.Usage      // what it cost to find out
}

// disputedError ends an implementor's turn: the red goes back to the tester.
type disputedError struct{ dispute }

// Error says who disputes the red, and why.
func (d *disputedError) Error() string { return fmt.Sprintf("disputed by %s: %s", d.by, d.why) }

// Dispute hands the open red back to the tester, who withdraws or mends it: one
// step. A *StopError says why it was not taken.
func (l *Loop) Dispute(ctx context.Context, why string) (Accepted, error) {
	why = agents.Reason(l.opts.Redact(why))
	if why == "" {
		return Accepted{}, fmt.Errorf("%w: a dispute needs its reason", ErrNotReady)
	}
	return l.take(ctx, dispute{why: why, by: "a person"})
}

func (s *step) disputes(p proposal) error {
	why := agents.Reason(p.edits.Dispute)
	if s.plays != gates.Implementor || s.history.Step.Phase != gates.PhaseRed || why == "" {
		return p.refuse(gates.Finding{
			Gate: "plan", Seen: "a dispute by the " + string(s.role) + " where its role has no red to dispute, or no reason", Remedy: "take your step; \"dispute\" is null",
		})
	}
	return &disputedError{dispute{why: why, by: "the " + string(s.role) + " (" + s.model.Name + ")", used: s.usage}}
}

// handBack makes it the tester's turn, unless it is time to ask a person.
func (l *Loop) handBack(ctx context.Context, t *turn) error {
	d, err := l.disputable(ctx, t)
	if err != nil {
		return err
	}
	of := t.history.Step.Number
	if t.dispute.open.ID == "" {
		t.role = t.history.Step.Role
	} else {
		first, _ := gates.Find(t.project.Settings.Rotation, func(r gates.Role) bool { return t.project.Settings.Plays(r) == gates.Tester })
		of, t.role = t.dispute.open.Step, cmp.Or(first, gates.Tester)
	}
	if d.Earlier >= gates.MaxDisputes {
		return &StopError{Reason: Disputed, Text: fmt.Sprintf(
			"the red of step %d, or its criterion, was disputed %d times already, and is disputed again; now a person decides%s",
			of, d.Earlier, t.evidence())}
	}
	l.note("%s disputes the red of step %d: %s", t.dispute.by, of, t.dispute.why)
	return nil
}

// evidence is what a person needs who is to decide on a dispute.
func (t turn) evidence() string {
	var text strings.Builder
	if t.dispute.open.ID != "" {
		fmt.Fprintf(&text, "\n  %-10s %s", "test", t.dispute.open)
	}
	for _, r := range t.history.Step.Red {
		fmt.Fprintf(&text, "\n  %-10s %s", "red", r)
	}
	fmt.Fprintf(&text, "\n  %-10s %s: %s", "dispute", t.dispute.by, t.dispute.why)
	fmt.Fprintf(&text, "\n  %-10s %s", "mend it", `git commit -am "test: what it checks" --trailer "`+gates.KeyOutcome+": "+string(gates.Disputed)+`"`)
	fmt.Fprintf(&text, "\n  %-10s %s", "or not", "git show "+cmp.Or(t.dispute.open.Commit, t.history.Commit)+" (the red); take back all that it changed and commit that in the same way, or make it pass (feat:)")
	return text.String()
}

// without is HEAD's tree without the disputed test.
func (l *Loop) without(ctx context.Context, t turn) (gitx.ID, gates.Dispute, error) {
	if t.dispute.open.ID != "" {
		return l.opts.Checker.WithoutOpen(ctx, t.head.Commit, t.dispute.open)
	}
	return l.opts.Checker.WithoutRed(ctx, t.head.Commit, t.history)
}

func (l *Loop) withdraw(ctx context.Context, s *step, p proposal) (verdict, error) {
	tree, _, err := l.without(ctx, s.turn)
	if err != nil {
		return verdict{}, err
	}
	return l.judge(ctx, s, candidate{proposal: p, tree: tree, special: gates.Disputed})
}
