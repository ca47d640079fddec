package rust

import (
	"slices"

	"github.com/git-tdd/git-tdd/testrun/output"
)

// What nextest's exit codes say, and the option by which it passes on cargo's
// messages.
const (
	nextestUsage    = 2
	nextestEmpty    = 4
	nextestMessages = "--cargo-message-format"
)

// nextestArgs makes a call of nextest run every test and pass on what cargo
// says. Any other command is not ok. Its test binaries go through our wrapper
// like those of cargo itself.
func nextestArgs(argv []string) (out []string, ok bool) {
	if !slices.Contains(argv, "nextest") {
		return argv, false
	}
	flags := []string{nextestMessages + "=json"}
	if !slices.ContainsFunc(argv, func(a string) bool {
		return output.HasAnyPrefix(a, "--fail-fast", "--ff", "--max-fail", "--no-capture")
	}) {
		flags = append(flags, "--no-fail-fast")
	}
	return cargoArgs(argv, []string{"run", "r"}, flags...)
}
