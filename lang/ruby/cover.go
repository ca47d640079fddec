package ruby

import (
	"context"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/coverage"
)

// cover lets our reporter start Ruby's own coverage in each process of the
// tests.
func cover(_ context.Context, s *testrun.Session, argv []string) (testrun.Covering, error) {
	return testrun.CoverByReporter(s, argv, coverage.Reasons{
		Silent: "for Ruby it is measured where minitest or RSpec runs, and neither did, or not to its end",
	})
}
