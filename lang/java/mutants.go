package java

import (
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/csyntax"
)

// telling are the calls that only tell something.
func telling() []string {
	return []string{"println", "print", "printf", "debug", "info", "warn", "error", "trace", "fine", "requireNonNull"}
}

// mutants lists small changes of a source.
func mutants(content string) []testrun.Mutant { return csyntax.Mutants(content, telling()...) }

// near lists changes of a source that a loose test may not notice.
func near(content string) []testrun.Mutant {
	return csyntax.Near(content, [2]string{"IllegalStateException", "UnsupportedOperationException"}, telling()...)
}
