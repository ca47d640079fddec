package ruby

import (
	"context"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/coverage"
)

// coverRuby lets our reporter start Ruby's own coverage in each process of the
// tests.
func coverRuby(_ context.Context, b *testrun.Session, argv []string) (testrun.Covering, error) {
	return testrun.CoverByReporter(b, argv, coverage.Reasons{
		Silent: "for Ruby it is measured where minitest or RSpec runs, and neither did, or not to its end",
	})
}
