package testrun

import "context"

// coverRuby lets our reporter start Ruby's own coverage in each process of the
// tests.
func coverRuby(_ context.Context, b *bench, argv []string) (covering, error) {
	return coverByReporter(b, argv, map[string]string{
		"silent": "for Ruby it is measured where minitest or RSpec runs, and neither did, or not to its end",
	})
}
