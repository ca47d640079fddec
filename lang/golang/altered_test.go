package golang

import (
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

// What vet says of expectations that were altered is nobody's to mend, and must not
// keep the tests from running.
func TestAltered_isNotVetted(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	req := projecttest.Project(t, Language(), module+`
-- calc_test.go --
package calc

import "testing"

func TestSum(t *testing.T) {
	if got := 3; got != 4 || got != 4 {
		t.Errorf("got %d", got)
	}
}
`)
	req.Commands.Check = nil
	if got := projecttest.Measure(t, req); len(got.Facts.Tests) > 0 {
		t.Fatalf("vet lets it pass: %+v", got.Facts.Tests)
	}
	req.Altered = true
	projecttest.Want(t, "tests", projecttest.Tests(projecttest.Measure(t, req).Facts), "example.com/calc.TestSum failed assertion")
}
