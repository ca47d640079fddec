package java

import (
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/csyntax"
)

// mutants lists small changes of a source.
func mutants(content string) []testrun.Mutant {
	return csyntax.Mutants(content, "println", "print", "printf", "debug", "info", "warn", "error", "trace", "fine", "requireNonNull")
}
