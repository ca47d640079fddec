package ruby

import (
	"context"

	"github.com/git-tdd/git-tdd/testrun"
)

// cover lets our reporter start Ruby's own coverage in each process of the
// tests.
func cover(_ context.Context, s *testrun.Session, argv []string) (testrun.Covering, error) {
	return testrun.CoverByReporter(s, argv, map[string]string{
		"silent": "for Ruby it is measured where minitest or RSpec runs, and neither did, or not to its end",
	})
}
