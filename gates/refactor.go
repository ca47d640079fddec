package gates

import "slices"

func sameTestsGate() Gate {
	return Gate{
		Name: "same-tests", Who: "refactorer", Judges: plays(Refactorer),
		Doc: `The same tests pass before and after, and there is at least one. Where test files
moved or changed, the old tests also pass against the new sources, and a changed
test that was once red is red again against the sources of then. The check
passes. Nothing worth doing is an answer too: an empty commit with
"Tdd-Outcome: skipped".

Why: a refactoring changes how, never what, and only tests can show it.

To satisfy it: keep every test, and keep it passing.`,
		Run: sameTests,
	}
}

func sameTests(c *Case) []Finding {
	if c.Special == Skipped {
		return append(skipped(c), claims(c, nil)...)
	}
	if len(c.Change.Files) == 0 {
		return []Finding{{Seen: "the refactoring changes nothing", Remedy: "say so with " + KeyOutcome + ": skipped"}}
	}
	if out := unfinished(c.After); out != nil {
		return out
	}
	return slices.Concat(unguarded(c), noWorse(c), added(c), crossed(c), vacuous(c), checkPasses(c), flaky(c), claims(c, nil))
}

func skipped(c *Case) []Finding {
	if len(c.Change.Files) == 0 {
		return nil
	}
	return []Finding{{Seen: "a skipped refactoring changes files", Remedy: "commit it without " + KeyOutcome + ", or without the changes"}}
}

// unguarded refuses a refactoring without any tests.
func unguarded(c *Case) []Finding {
	if c.After.Outcome != Empty {
		return nil
	}
	return []Finding{{
		Seen:   "no test ran at all, so nothing shows that the refactoring changes only how",
		Remedy: "pin the behaviour down first (test: … with " + KeyOutcome + ": characterization)",
	}}
}

// added refuses tests that a refactoring adds.
func added(c *Case) []Finding {
	if !c.After.Complete() {
		return nil
	}
	var out []Finding
	for _, t := range newTests(c) {
		out = append(out, Finding{Path: t.File, Line: t.Line, Test: t.ID, Seen: "the refactoring adds a test", Remedy: "leave new tests to the tester"})
	}
	return out
}

// crossed requires that the old tests pass with the new sources.
func crossed(c *Case) []Finding {
	switch {
	case c.Crossed == nil && slices.ContainsFunc(c.Change.Files, FileChange.TouchesTest):
		return []Finding{{
			Seen:   "tests changed, but the old ones were not run against the new sources",
			Remedy: "judge the commit again with git tdd verify", Unjudged: true,
		}}
	case c.Crossed == nil:
		return nil
	case !c.Crossed.Finished():
		return unfinished(*c.Crossed)
	case !c.Crossed.Complete():
		return complaints("the tests as they were do not compile against the new sources", c.Crossed.Diagnostics,
			"keep what the old tests use")
	}
	var out []Finding
	now := c.follow(c.Before, *c.Crossed).now
	for _, t := range c.Before.With(StatusPassed) {
		if now[t.ID].Status != StatusPassed {
			out = append(out, Finding{
				Test: t.ID, Path: t.File, Seen: "this test, as it was, does not pass against the new sources",
				Remedy: "restore the behaviour that it checks",
			})
		}
	}
	return out
}
