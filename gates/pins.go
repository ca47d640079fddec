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
	anew := DeclaredAnew(c.Change)
	switch {
	case c.Serves == 0:
		return []Finding{{
			Seen: "a characterization by an agent; the policy refuses it",
			Remedy: "write a test that fails; or one that names an acceptance criterion which is met already and not yet whole (" + KeyCriterion + "); " +
				"or set gates.characterization: allow in a commit of its own",
		}}
	case len(anew) > 1:
		return []Finding{{
			Seen:   fmt.Sprintf("%d new tests for criterion %d, which is met already: %s", len(anew), c.Serves, strings.Join(anew, ", ")),
			Remedy: "keep one",
		}}
	case !c.graded(NewTests(c)):
		return []Finding{{
			Seen:   fmt.Sprintf("nothing shows that the test for criterion %d, which is met already, could fail: what it expects was not altered, because its language or its report does not allow that", c.Serves),
			Remedy: "leave it to a person, or set gates.characterization: allow in a commit of its own",
		}}
	case !slices.ContainsFunc(NewTests(c), c.notices):
		return []Finding{{
			Seen:   fmt.Sprintf("nothing shows that the test for criterion %d, which is met already, could fail", c.Serves),
			Remedy: "add one test that compares what the code returns with a value that is written out in it",
		}}
	}
	return nil
}

// notices reports whether a test is known to notice when what it expects is altered.
func (c *Case) notices(t Test) bool {
	return c.Evidence != nil && (c.Evidence.After[t.ID] == GradeValue || c.Evidence.After[t.ID] == GradeSense)
}

// graded reports whether it is known of one of some tests what it is worth.
func (c *Case) graded(tests []Test) bool {
	return c.Evidence != nil && slices.ContainsFunc(tests, func(t Test) bool { return c.Evidence.After[t.ID] != "" })
}
