package gates

import (
	"cmp"
	"fmt"
	"slices"
)

func sameTestsGate() Gate {
	return Gate{
		Name: "same-tests", Who: "refactorer, own roles that choose it", Judges: (*Case).Preserves,
		Doc: `The same tests pass before and after, and there is at least one. Where test files
moved or changed, the old tests also pass against the new sources (they follow a
function that the change renames or moves, and a file that it moves), and a
changed test that was once red is red again against the sources of then. Tests
may get other names, share a helper, or become the rows of a table, each with
what it had, if they notice as much. The check passes. A name that it adds and
nothing uses is told. The tests are also given other inputs, or ask the same twice:
it is told where the sources then answer otherwise than before. A number, text or
truth value that the sources spell out otherwise, and that no test notices, is told
of a person and refused of an agent.
Nothing worth doing is an answer too: an empty commit with "Tdd-Outcome: skipped".
A person may give behaviour up, code and tests together: "Tdd-Outcome: retired".

Why: a refactoring changes how, never what, and only tests can show it.

To satisfy it: keep every test, and keep it passing.`,
		Run: sameTests,
	}
}

func sameTests(c *Case) []Finding {
	if c.Special == Skipped {
		return append(skipped(&c.Premise), claims(c, nil)...)
	}
	if len(c.Change.Files) == 0 {
		return []Finding{{Seen: "the refactoring changes nothing", Remedy: "say so with " + KeyOutcome + ": skipped"}}
	}
	if out := c.leavers(unfinished(c.After, "")); out != nil {
		return out
	}
	return slices.Concat(unguarded(c), noWorse(c), added(c), crossed(c), vacuous(c), assertionChanges(c), checkPasses(c), remarks(c), claims(c, nil), unusedNames(c), otherAnswers(c), otherValues(c))
}

// Name is something that a source declares.
type Name struct {
	Path string
	Line int
	Name string
}

// Compare orders names by their place.
func (n Name) Compare(m Name) int {
	return cmp.Or(cmp.Compare(n.Path, m.Path), cmp.Compare(n.Line, m.Line), cmp.Compare(n.Name, m.Name))
}

// unusedNames tells what a commit adds and nothing uses.
func unusedNames(c *Case) []Finding {
	return Each(c.Unused, func(n Name) Finding {
		return note(Test{File: n.Path, Line: n.Line}, fmt.Sprintf("%q is new, and neither a test nor other code uses it", n.Name), "leave it to the step that needs it")
	})
}

func skipped(c *Premise) []Finding {
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
	return []Finding{objection("no test ran at all, so nothing shows that the refactoring changes only how",
		"pin the behaviour down first (test: … with "+KeyOutcome+": characterization)")}
}

// added refuses tests that a refactoring adds. Where as much is noticed, they are what old
// ones became, if there are such: tests that are gone, or that are tables now.
func added(c *Case) []Finding {
	if !c.After.Complete() || c.tidied() && (c.losesTests() || c.tabulates()) {
		return nil
	}
	return Each(NewTests(c), func(t Test) Finding { return about(t, "the refactoring adds a test", "leave new tests to the tester") })
}

// tabulates reports whether a test of before holds others now, and did not.
func (c *Case) tabulates() bool {
	was, now := c.reference().holders(), c.After.holders()
	return slices.ContainsFunc(c.reference().Tests, func(t Test) bool { return now[t.ID] && !was[t.ID] })
}

// crossed requires that the old tests pass with the new sources.
func crossed(c *Case) []Finding {
	switch {
	case c.Retires():
		return nil
	case c.Crossed == nil && slices.ContainsFunc(c.Change.Files, FileChange.TouchesTest):
		return []Finding{{
			Seen:   "tests changed, but the old ones were not run against the new sources",
			Remedy: "judge the commit again with git tdd verify", Unjudged: true,
		}}
	case c.Crossed == nil:
		return nil
	case !c.Crossed.Finished():
		return unfinished(*c.Crossed, "")
	case !c.Crossed.Complete():
		return complaints("the tests as they were do not compile against the new sources", c.Crossed.Diagnostics,
			"keep what the old tests use"+c.orRetire())
	}
	now := c.follow(c.Before, *c.Crossed).now
	broken := slices.DeleteFunc(c.Before.With(StatusPassed), func(t Test) bool {
		return now[t.ID].Status == StatusPassed || c.drifted(t, *c.Crossed)
	})
	return Each(broken, func(t Test) Finding {
		return about(Test{ID: t.ID, File: t.File}, "this test, as it was, does not pass against the new sources", "restore the behaviour that it checks")
	})
}

// orRetire says how a person gives up behaviour with its tests, where code goes.
func (c *Premise) orRetire() string {
	if added, deleted := c.Change.sourceLines(); c.Agent || !c.Preserves() || deleted <= added {
		return ""
	}
	return "; or, to give up behaviour and its tests together, say " + KeyOutcome + ": retired"
}

// assertionChanges refuses a refactoring that changes what tests expect. Where the
// tests of before and those of now were held against each other, it is what
// they spell out that counts, wherever; elsewhere their text: assertions may move,
// but none may be added, removed or changed.
func assertionChanges(c *Case) []Finding {
	if !c.After.Complete() || c.Retires() {
		return nil
	}
	if c.asStrong() {
		return fewerOrMore(c)
	}
	balance, where := c.Change.balance()
	var out []Finding
	for _, a := range sortedKeys(balance) {
		verb := "adds"
		if balance[a] < 0 {
			verb = "removes or changes"
		}
		if balance[a] != 0 {
			out = append(out, about(Test{File: where[a]}, fmt.Sprintf("the refactoring %s the assertion %q", verb, firstLine(a)),
				"keep every assertion as it reads; a refactoring changes how, never what is expected"))
		}
	}
	return out[:min(len(out), 6)]
}
