package gates

import (
	"fmt"
	"slices"
	"strings"
)

func strengthGate() Gate {
	return Gate{
		Name: "strength", Who: "all", Judges: func(c *Case) bool { return c.Evidence != nil && c.Evidence.Before != nil },
		Doc: `No test gets weaker. A test that noticed when the value that it expects was
altered still does; one that noticed only that its check was turned round may
not come to notice nothing. Where assertions of old tests read otherwise, the
tests of before and those of now are held against the same small mutants of the
sources, and those of now must notice all that those of before noticed; also of a
result that is hardly another one: the next number, the other case, another order,
another class of error. Where a test reads as it did and only what is set up for it
changes, it may miss some of them, which is told, but not more than half. A test
whose text changes must still notice the last of the values that it expects. While a
person waits for a hook, that is asked for half a minute; what was not asked then
is told, and git tdd verify asks it.

Why: a suite that is emptied step by step stays green.

To satisfy it: let each test check what it checked, in whatever words.`,
		Run: strength,
	}
}

func strength(c *Case) []Finding {
	var out []Finding
	c.eachWeaker(func(t, was Test) {
		before, now := c.Evidence.Before[was.ID], c.Evidence.After[t.ID]
		out = append(out, about(t, fmt.Sprintf("this test is weaker than before: it was %s; now it is %s", before.Says(), now.Says()),
			"let it check what it checked"))
	})
	for _, e := range c.Evidence.Earlier {
		out = append(out, note(Test{ID: e.Test},
			fmt.Sprintf("this test is weaker since %s, which changed sources alone: it was %s; now it is %s", e.Commit, e.Was.Says(), e.Now.Says()),
			"let a refactor: commit give it back what it checked"))
	}
	for _, m := range c.Evidence.Weaker {
		f := m.Finding("the tests noticed when this was made wrong, and no longer do: "+m.What, "let the tests check what they checked")
		if len(c.Answered()) > 0 {
			f = c.backToTester(f)
		}
		out = append(out, f)
	}
	for _, m := range c.Evidence.Shifted {
		f := m.Finding("a test noticed when this was made wrong, and no longer does, although it still notices other errors: "+m.What,
			"let it, or what is set up for it, show it again, or let another test check it")
		f.Note = !c.Agent || c.Plays != Refactorer // which sets nothing up anew
		out = append(out, f)
	}
	if assumed := c.Evidence.Assumed; assumed != "" && !c.Derived {
		out = append(out, Finding{
			Note: true, Seen: "whether tests that read otherwise check as much as they did was not asked to the end: " + assumed,
			Remedy: "read what changes in them; git tdd evidence --full may say more",
		})
	}
	return out
}

// eachWeaker calls yield with each passing test that is worth less than before, and
// with what it was.
func (c *Case) eachWeaker(yield func(now, was Test)) {
	follows := c.follow(c.reference(), c.After).was
	for _, t := range c.After.With(StatusPassed) {
		was := follows[t.ID]
		before, now := c.Evidence.Before[was.ID], c.Evidence.After[t.ID]
		equal := c.asStrong() && (now == GradeSense || c.Evidence.HandedOver[was.ID] || now == GradeNone && c.Evidence.Decides[was.ID])
		if before != "" && now != "" && now.Worth() < before.Worth() && !equal && !c.asksAnew(t, now) && !c.Misplaced(t) {
			yield(t, was)
		}
	}
}

// Weaker lists the tests that are worth less than before, by the ids that they had.
func (c *Case) Weaker() (ids []string) {
	c.eachWeaker(func(_, was Test) { ids = append(ids, was.ID) })
	return ids
}

// Hopeless reports whether a case is refused whatever its tests turn out to be worth.
func (c *Case) Hopeless() bool {
	good := BestOf(c.After)
	for _, best := range []*Evidence{nil, {After: good}, {After: good, Compared: true}} {
		could := *c
		could.Evidence = best
		if Judge(&could).Accepted() {
			return false
		}
	}
	return true
}

// InDoubt reports whether the text of tests that changed, or their grades, leave
// open whether they check as much as they did.
func (c *Case) InDoubt(change Change, e *Evidence) bool {
	if e.Before == nil || !slices.ContainsFunc(change.Files, FileChange.TouchesTest) {
		return false
	}
	if change.HelpsTests() || slices.ContainsFunc(change.Files, FileChange.losesAssertion) || c.Preserves() && change.addsAssertion() || change.RewritesTests() && slices.ContainsFunc(change.Files, FileChange.losesInput) {
		return true
	}
	was := c.follow(c.reference(), c.After)
	return slices.ContainsFunc(c.reference().With(StatusPassed), func(t Test) bool {
		now, found := was.now[t.ID]
		after := e.After[now.ID]
		return !found || after != "" && after.Worth() < e.Before[t.ID].Worth()
	})
}

// RewritesTests reports whether the text of a test changes that was there before.
func (c Change) RewritesTests() bool {
	return slices.ContainsFunc(c.Files, func(f FileChange) bool {
		return f.Old != nil && f.New != nil && slices.ContainsFunc(f.Old.Declared, func(name string) bool {
			return slices.Contains(f.New.Declared, name) && ownText(f.Old, name) != ownText(f.New, name)
		})
	})
}

// OnlyAddsTests reports whether a change leaves every line as it was of what is for tests,
// and adds nothing there that helps them: then the old tests are those of before.
func (c Change) OnlyAddsTests() bool {
	return !c.RewritesTests() && !slices.ContainsFunc(c.Files, func(f FileChange) bool {
		helps := sideOf(f.Old).Kind == KindSupport || sideOf(f.New).Kind == KindSupport
		adds := func() bool { return changes(helpers(f.Old, says), helpers(f.New, says)) } // be it to a table that tests use
		return f.TouchesTest() && (helps || f.New == nil || f.Renamed() || f.Old != nil && (!f.keepsTestLines() || adds()))
	})
}

// KeepsTests reports whether a change takes no line of tests away.
func (c Change) KeepsTests() bool {
	return !slices.ContainsFunc(c.Files, func(f FileChange) bool {
		return f.TouchesTest() && f.Old != nil && (f.New == nil || f.Renamed() || !f.keepsTestLines())
	})
}

// keepsTestLines reports whether the part of a file that is for tests has all lines that
// it had, in their order.
func (c FileChange) keepsTestLines() bool {
	_, all := Within(strings.Split(sideOf(c.Old).Test, "\n"), strings.Split(sideOf(c.New).Test, "\n"))
	return all
}

// Within reports whether some lines stand among others in their order, and which others
// are left then.
func Within(lines, others []string) (left []string, all bool) {
	for _, line := range others {
		if len(lines) > 0 && lines[0] == line {
			lines = lines[1:]
		} else {
			left = append(left, line)
		}
	}
	return left, len(lines) == 0
}

// HelpsTests reports whether code that helps tests changes: a fixture or a setup may
// fake what they look at. It may stand beside tests, or be in a file that is called as one.
// Tests that import from elsewhere may look at something else.
func (c Change) HelpsTests() bool {
	helps := func(f *File) bool {
		return !f.IsData() && (sideOf(f).Kind == KindSupport || sideOf(f).Kind == KindTest && len(f.Declared) == 0)
	}
	return slices.ContainsFunc(c.Files, func(f FileChange) bool {
		return f.importsFromElsewhere() || (!f.ForTests() || !f.Inert) && (helps(f.Old) || helps(f.New) || f.Old != nil && len(f.Old.Declared) > 0 && f.ChangesHelpers())
	})
}

// losesAssertion reports whether a file of tests has an assertion less, in these
// words; another file may have it now. One that only gets more rows is none less.
func (c FileChange) losesAssertion() bool {
	if c.Old == nil || c.New == nil {
		return c.Old != nil
	}
	more := without(c.New.Assertions, c.Old.Assertions)
	return slices.ContainsFunc(without(c.Old.Assertions, c.New.Assertions), func(was string) bool {
		at := slices.IndexFunc(more, func(now string) bool { return getsRows(was, now) })
		if at >= 0 {
			more = slices.Delete(more, at, at+1)
		}
		return at < 0
	})
}

// Kept has the ids of those of some tests whose own text a change leaves as it was, if no
// assertion is less.
func (c Change) Kept(tests []Test) map[string]bool {
	kept := map[string]bool{}
	if slices.ContainsFunc(c.Files, FileChange.losesAssertion) {
		return kept
	}
	for _, t := range tests {
		if _, text := c.Touches(t.ID); !text {
			kept[t.ID] = true
		}
	}
	return kept
}

// losesInput reports whether a file of tests spells out a value less often: what a test
// is given decides what it can notice.
func (c FileChange) losesInput() bool {
	return c.Old != nil && c.New != nil && len(without(literals(c.Old.Test), literals(c.New.Test))) > 0
}

// NewAssertions are the assertions that a file has more than before.
func (c FileChange) NewAssertions() []string {
	return without(sideOf(c.New).Assertions, sideOf(c.Old).Assertions)
}

// addsAssertion reports whether there is an assertion more, in these words.
func (c Change) addsAssertion() bool {
	was, now := c.assertions()
	return len(without(now, was)) > 0
}

// asStrong reports whether measuring showed that the tests of now notice all that
// those of before noticed.
func (c *Case) asStrong() bool {
	return c.Evidence != nil && c.Evidence.Compared && len(c.Evidence.Weaker)+len(c.Evidence.Shifted) == 0
}

// tidied reports whether tests that are gone live on under other names: whatever
// was expected still is, and measuring shows that as much is noticed.
func (c *Case) tidied() bool {
	return c.asStrong() && c.takenAway() == ""
}
