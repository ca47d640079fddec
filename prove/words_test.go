package prove_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/prove"
)

// A reader is shown what differs: not the rows of a table that end as it does, not old
// tests that pass either way, and not a thousand tests.
func TestListed(t *testing.T) {
	t.Parallel()
	fails := func(id string) prove.Test {
		return prove.Test{ID: id, New: true, Without: gates.StatusFailed, With: gates.StatusPassed}
	}
	passes := func(id string, fresh bool) prove.Test {
		return prove.Test{ID: id, New: fresh, Without: gates.StatusPassed, With: gates.StatusPassed}
	}
	many := []prove.Test{passes("old", false)}
	for i := range 25 {
		many = append(many, fails(fmt.Sprint("t", i)))
	}
	shown, rest := prove.Report{Tests: many}.Listed()
	if got := strings.Join(rest, "|"); len(shown) != 20 || got != "✓ → ✓  1 old test, rewritten|✗ → ✓  5 more tests" {
		t.Errorf("%d tests, then %s", len(shown), got)
	}
	shown, rest = prove.Report{Tests: []prove.Test{fails("a.T"), fails("a.T/1"), fails("a.T/1/x"), passes("a.T/2", true), passes("a.T/1/y", true), fails("a.Two")}}.Listed()
	var ids []string
	for _, s := range shown {
		ids = append(ids, s.ID)
	}
	if got := strings.Join(append(ids, rest...), "|"); got != "a.T|a.T/2|a.T/1/y|a.Two|✗ → ✓  2 more tests" {
		t.Error(got)
	}
}

// Nothing is said of small errors where none was tried.
func TestSays(t *testing.T) {
	t.Parallel()
	test := prove.Test{With: gates.StatusPassed, Without: gates.StatusFailed, Grade: gates.GradeValue, Message: "1 != 2", Class: gates.ClassAssertion}
	for want, r := range map[string]prove.Report{
		"1 != 2 (assertion)": {Tier: prove.Quick},
		"1 != 2 (assertion); grade " + gates.GradeValue.Says():                         {Tier: prove.Full},
		"1 != 2 (assertion); notices 0 small errors, grade " + gates.GradeValue.Says(): {Tier: prove.Full, Tried: 2},
	} {
		if got := r.Says(test); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for want, test := range map[string]prove.Test{
		"not there without the change":    {With: gates.StatusPassed},
		"skipped":                         {With: gates.StatusSkipped, Without: gates.StatusPassed},
		"skipped without the change":      {With: gates.StatusPassed, Without: gates.StatusSkipped},
		"passes without the change too":   {With: gates.StatusPassed, Without: gates.StatusPassed},
		"undefined: Fee (missing-symbol)": {With: gates.StatusPassed, Class: gates.ClassMissingSymbol, Message: "undefined: Fee"},
	} {
		if got := (prove.Report{Tier: prove.Full}).Says(test); got != want {
			t.Errorf("%s → %s: %q, want %q", test.Without, test.With, got, want)
		}
	}
}
