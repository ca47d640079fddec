package gates

import (
	"fmt"
	"slices"
	"strings"
)

// pins lists the objections to a characterization that the policy does not allow an
// agent: only a criterion that is met already may be pinned down, by one test that
// is known to notice something.
func pins(c *Case) []Finding {
	anew, tests := DeclaredAnew(c.Change), NewTests(c)
	var grades map[string]Grade
	if c.Evidence != nil {
		grades = c.Evidence.After
	}
	switch {
	case c.Serves == 0:
		return []Finding{{
			Seen: "a characterization by an agent; the policy refuses it",
			Remedy: "write a test that fails; or one that names an acceptance criterion which is met already and not yet whole (" + KeyCriterion + "); " +
				"or set gates.characterization: allow in a commit of its own",
		}}
	case len(anew) > 1:
		return []Finding{objection(fmt.Sprintf("%d new tests for criterion %d, which is met already: %s", len(anew), c.Serves, strings.Join(anew, ", ")),
			"keep one")}
	case !slices.ContainsFunc(tests, func(t Test) bool { return grades[t.ID] != "" }):
		return []Finding{objection(fmt.Sprintf("nothing shows that the test for criterion %d, which is met already, could fail: what it expects was not altered, because its language or its report does not allow that", c.Serves),
			"leave it to a person, or set gates.characterization: allow in a commit of its own")}
	case !slices.ContainsFunc(tests, func(t Test) bool { return grades[t.ID] == GradeValue || grades[t.ID] == GradeSense }):
		return []Finding{objection(fmt.Sprintf("nothing shows that the test for criterion %d, which is met already, could fail", c.Serves),
			"add one test that compares what the code returns with a value that is written out in it")}
	}
	return nil
}

// pinsNothing objects to a characterization with a test that notices none of the errors
// in the code that it runs. That is told of people: a law that holds of the code, as a + b
// is b + a, may hold of it with each of these errors, too.
func pinsNothing(c *Case) []Finding {
	unshown, trials := c.Unshown(c.Unspelled()), c.Evidence.Trials
	if len(unshown) == 0 || len(trials) == 0 && !c.Evidence.Untried {
		return nil
	}
	f := about(unshown[0], "none of the code that this test is known to run could be made wrong, so it is not shown that this test checks it",
		"spell out in the test what the code returns")
	f.Note = !c.Agent || c.Evidence.Untried
	if !c.Evidence.Untried {
		f.Mutant = trials[0].Mutants[0]
		f.Seen = "this test passes too when the code is made wrong (" + ways(trials) + "): it may hold what the code says against itself"
	}
	return []Finding{f}
}
