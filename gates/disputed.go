package gates

import (
	"fmt"
	"strings"
)

// MaxDisputes is how often agents may dispute a red, or the reds of one criterion.
// After that a person decides.
const MaxDisputes = 2

// Dispute is what a commit that withdraws or mends the open red has to do with it.
type Dispute struct {
	Of      string // the open acceptance test that is disputed; empty if it is the red
	Earlier int    // disputes of this red, or of its criterion, before this one
	// Untouched is set if the commit changes nothing: the red stands as it stood.
	Untouched bool
	// Since has the files of the red that other commits changed after it: what they were before it cannot be told.
	Since []string
}

// Disputes reports whether a commit withdraws or mends a red that nobody can
// satisfy, or, on green, an open acceptance test. It is judged as if that red had never been: Before and Change are
// against the tree without it.
func (c *Premise) Disputes() bool {
	return c.Special == Disputed && c.Plays == Tester && (c.Position.Step.Phase == PhaseRed || c.Dispute.Of != "")
}

// disputedStep is the step whose red is disputed.
func (c *Premise) disputedStep() int {
	if o, ok := findOpen(c.Position.Open, c.Dispute.Of); ok {
		return o.Step
	}
	return c.Position.Step.Number
}

// Withdraws reports whether a commit takes the disputed red back whole.
func (c *Premise) Withdraws() bool { return c.Disputes() && len(c.Change.Files) == 0 }

// mayDispute says what becomes of an open red that nobody can satisfy.
func mayDispute(c *Premise) string {
	if c.Position.Step.Phase != PhaseRed {
		return ""
	}
	return fmt.Sprintf("; a red that nobody can satisfy is withdrawn or mended with --trailer %q", KeyOutcome+": "+string(Disputed))
}

// disputed says why a red cannot be disputed here.
func disputed(c *Premise) []Finding {
	if !c.Disputes() {
		return nil
	}
	var out []Finding
	if c.Dispute.Untouched {
		out = append(out, objection(fmt.Sprintf("the red of step %d stays as it is", c.disputedStep()),
			"mend its test, or take back all that the step changed"))
	}
	if len(c.Dispute.Since) > 0 {
		out = append(out, Finding{
			Path:   c.Dispute.Since[0],
			Seen:   fmt.Sprintf("other commits changed %s since the red of step %d", strings.Join(c.Dispute.Since, ", "), c.disputedStep()),
			Remedy: "fold them into it first (git rebase --autosquash), or take them back",
		})
	}
	if c.Agent && c.Dispute.Earlier >= MaxDisputes {
		out = append(out, objection(fmt.Sprintf("this red, or its criterion, was disputed %d times already", c.Dispute.Earlier),
			"leave it to a person, who may mend it, withdraw it, or make it pass"))
	}
	return out
}
