package gates

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/commitmsg"
)

func turnGate() Gate {
	return Gate{
		Name: "turn", Who: "all in the loop, and agents", Judges: func(c *Case) bool { return c.inLoop() || c.Agent },
		Doc: `The role fits the phase: on red only an implementor may work; on green a tester
writes the next failing test, a refactorer tidies up, or a role of the project's
own does its part. Agents follow the rotation strictly and commit nothing outside
the loop, but for a planner: its "docs:" commit changes Markdown files below
docs/plan and nothing else. People may leave the refactoring out. A failure that
was there before the loop makes no red, but an implementor may repair it. A red
that nobody can satisfy goes back to the tester, who withdraws or mends it:
"Tdd-Outcome: disputed". Agents do so at most twice
for one red or one criterion, then a person decides. With "gates.pace: cycles" one
commit on green may bring a test and what makes it pass: its red is derived, the
tests of now on the sources of before, and its phase is "cycle".

Why: code without a failing test that asks for it is a guess, and a second red
on a red hides which of the two the next change answers.

To satisfy it: on red, commit "feat:" or "fix:"; on green, "test:" or
"refactor:". "git tdd status" says where you are, and "git tdd split" makes red and
green of a change that brings both.`,
		Static: turn,
	}
}

func turn(c *Premise) []Finding {
	if c.plans() {
		return planOnly(c)
	}
	if !c.Before.Finished() {
		return unfinished(c.Before, beforeThis)
	}
	if !c.inLoop() {
		return []Finding{objection("an agent's commit takes no step",
			"give it the type of its role: test, feat or fix, refactor or perf")}
	}
	out := disputed(c)
	switch red := c.OnRed(); {
	case red && c.Plays == Tester:
		out = append(out, objection("the tests are red already"+failures(c.Before),
			"make them pass first (feat: or fix:), then write the next failing test"+mayDispute(c)))
	case red && c.Plays == Refactorer:
		out = append(out, objection("the tests are red"+failures(c.Before),
			"refactor on green only: make them pass first (feat: or fix:)"))
	case red && c.Plays == Keeper:
		out = append(out, objection("the tests are red"+failures(c.Before),
			fmt.Sprintf("make them pass first (feat: or fix:): the %s works on green only", c.Role)))
	case !red && !c.Cycle && c.Mixed() && len(c.Before.With(StatusFailed)) == 0:
		out = append(out, objection("tests and code come in one commit, so no red shows that the tests ask for the code",
			"commit the failing test first (test: …), then the code (git tdd split -m 'feat: …' takes apart what is staged)"))
	case !red && c.Plays == Implementor && !c.Cycle && len(c.Before.With(StatusFailed)) == 0:
		out = append(out, objection("no test is failing, so nothing asks for this change",
			"write the failing test first (test: …), or call the commit refactor: or chore:"))
	}
	// Earlier releases asked a refactorer behind a characterization, too.
	looks := c.Plays == Refactorer && c.Position.Step.Outcome == Characterization
	if c.Agent && c.Expected != "" && c.Role != c.Expected && !c.Disputes() && !looks && (!c.Cycle || c.Expected != Tester) {
		out = append(out, objection(fmt.Sprintf("it is the turn of the %s, not of the %s", c.Expected, c.Role),
			"follow the rotation"))
	}
	return out
}

// Mixed reports whether a commit brings tests and code together where no red asks for
// the code.
func (c *Premise) Mixed() bool {
	some := func(has func(FileChange) bool) bool { return slices.ContainsFunc(c.Change.Files, has) }
	return c.Plays == Implementor && c.Special == Ordinary && !c.OnRed() && some(FileChange.TouchesTest) && some(FileChange.touchesSource)
}

// planner names who writes the plan. It takes no step, so it is none of the roles.
const planner = "planner"

// PlanDir is the folder of the plan, which no other agent changes.
const PlanDir = "docs/plan"

// plans reports whether a commit says that it is the planner's.
func (c *Premise) plans() bool {
	header, err := commitmsg.ParseHeader(c.Message.Subject)
	return c.Agent && err == nil && header.Type == "docs" && c.Message.Value(KeyRole) == planner
}

// planOnly refuses whatever a planner changes beside the plan.
func planOnly(c *Premise) []Finding {
	var out []Finding
	for _, f := range c.Change.Files {
		if side, beside := Find(f.Sides(), func(side *File) bool { return !ofPlan(side) }); beside {
			out = append(out, about(Test{File: side.Path}, "the planner changes what is no part of the plan",
				fmt.Sprintf("write Markdown files directly below %s, and nothing else", PlanDir)))
		}
	}
	return out
}

func ofPlan(f *File) bool {
	const plain = "100644"
	return path.Dir(f.Path) == PlanDir && path.Ext(f.Path) == ".md" && f.Mode == plain
}

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
		seen := fmt.Sprintf("other commits changed %s since the red of step %d", strings.Join(c.Dispute.Since, ", "), c.disputedStep())
		out = append(out, about(Test{File: c.Dispute.Since[0]}, seen, "fold them into it first (git rebase --autosquash), or take them back"))
	}
	if c.Agent && c.Dispute.Earlier >= MaxDisputes {
		out = append(out, objection(fmt.Sprintf("this red, or its criterion, was disputed %d times already", c.Dispute.Earlier),
			"leave it to a person, who may mend it, withdraw it, or make it pass"))
	}
	return out
}
