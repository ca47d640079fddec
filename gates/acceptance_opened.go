package gates

import (
	"fmt"
	"slices"
)

// opening judges the test of a step that opens an acceptance test: red, as any
// other, but for those that keep others from running.
func opening(c *Case) []Finding {
	switch {
	case !c.After.Complete():
		return complaints("the acceptance test keeps tests from running", c.After.Diagnostics,
			"it stays red while others run: put it into a file or package of its own that compiles, call what is there already, or let it fail as unimplemented")
	case c.After.Detail == DetailExitCode:
		return []Finding{objection("the runner does not tell tests apart, so a test that stays red would hide all others",
			"leave "+KeyOutcome+" out, or test with a runner that names its tests (ci.test_cmd, ci.report)")}
	}
	reds, out := Reds(c)
	if len(out) == 0 && len(reds) == 0 {
		out = nothingRed(c)
	}
	out = append(out, remarks(c)...)
	for _, r := range reds {
		if _, old := c.follow(c.Before, c.After).was[r.ID]; old {
			out = append(out, Finding{Test: r.ID, Seen: "the acceptance test is one that was there before", Remedy: "leave that as it was, and add a new one"})
		}
	}
	if len(reds) > 1 {
		out = append(out, objection(fmt.Sprintf("%d new failing tests: %s", len(reds), joined(reds, Red.test)),
			"keep one; an acceptance test has a step of its own"))
	}
	return slices.Concat(out, stubReds(&c.Premise, reds), redCheck(c, reds), claims(c, nil))
}

// mayOpen says why a commit may not open an acceptance test.
func mayOpen(c *Premise) []Finding {
	if c.Special != Acceptance || c.Plays != Tester {
		return nil
	}
	var out []Finding
	ids, _ := Criteria(c.Message)
	if n := len(c.Listed); n > 0 && (len(ids) != 1 || !slices.Contains(c.Listed, ids[0])) {
		out = append(out, objection("an acceptance test that names no criterion of the kata, or several",
			fmt.Sprintf("name its one criterion: --trailer %q (git tdd status lists them)", KeyCriterion+": "+fmt.Sprint(c.Listed[0]))))
	}
	if c.Agent && c.Policy.DoubleLoop != On {
		out = append(out, Finding{Seen: "an acceptance test by an agent; the policy does not ask for one", Remedy: "write an ordinary failing test, or set gates.double_loop: on in a commit of its own"})
	}
	for _, o := range c.open() {
		out = append(out, Finding{
			Test: o.ID, Note: !c.Agent, Seen: fmt.Sprintf("the acceptance test of step %d is open", o.Step),
			Remedy: "let that one pass first, by inner cycles",
		})
	}
	return out
}
