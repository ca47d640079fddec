package python

import (
	"context"

	"github.com/git-tdd/git-tdd/testrun"
)

// cover lets our reporter start coverage.py in each process of the tests, if the
// Python that runs them has it.
func cover(_ context.Context, s *testrun.Session, argv []string) (testrun.Covering, error) {
	return testrun.CoverByReporter(s, argv, map[string]string{
		"missing": "coverage.py is not installed for the Python that runs the tests (pip install coverage)",
		"silent":  "for Python it is measured where pytest or unittest runs, and neither did, or not to its end",
	})
}
