package python

import (
	"context"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/coverage"
)

// cover lets our reporter start coverage.py in each process of the tests, if the
// Python that runs them has it.
func cover(_ context.Context, s *testrun.Session, argv []string) (testrun.Covering, error) {
	return testrun.CoverByReporter(s, argv, coverage.Reasons{
		Missing: "coverage.py is not installed for the Python that runs the tests (pip install coverage)",
		Silent:  "for Python it is measured where pytest or unittest runs, and neither did, or not to its end",
	})
}
