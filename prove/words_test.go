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
