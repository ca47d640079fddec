package testrun

import (
	"cmp"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// Awareness is how sources of a language find out that they are tested, or reach
// into what tests them. Each pattern is looked for line by line; nil finds nothing.
type Awareness struct {
	// Asks finds what a program has no other use for.
	Asks lazyregexp.Regexp
	// Leaves finds what only a program may do, no library: to leave the process, to read its arguments.
	Leaves lazyregexp.Regexp
	// Helps finds, in a whole source, the import of a test framework: it is there for tests, whatever its name.
	Helps lazyregexp.Regexp
	// Program finds what makes a file a program.
	Program lazyregexp.Regexp
}

// asksAnywherePattern finds what asks in any language.
var asksAnywherePattern = lazyregexp.New(`/proc/(?:self|\d|%d|\$)|\b(?:PYTEST_CURRENT_TEST|PYTEST_VERSION|NODE_TEST_CONTEXT|JEST_WORKER_ID|VITEST(?:_\w+)?|` +
	`BATS_\w+|PHPUNIT_\w+|GTEST_\w+|NEXTEST(?:_\w+)?|TDD_\w+|GIT_TDD\w*)\b`)

// In lists, by line, the words with which a source asks whether it is tested.
func (a Awareness) In(source string) map[int]string {
	out := map[int]string{}
	program := found(a.Program, source) != ""
	n := 0
	for line := range strings.Lines(source) {
		n++
		said := cmp.Or(asksAnywherePattern().FindString(line), found(a.Asks, line))
		if said == "" && !program {
			said = found(a.Leaves, line)
		}
		if said != "" {
			out[n] = strings.TrimSpace(said)
		}
	}
	return out
}

// ForTests reports whether a source is there for tests only.
func (a Awareness) ForTests(source string) bool { return found(a.Helps, source) != "" }

func found(pattern lazyregexp.Regexp, text string) string {
	if pattern == nil {
		return ""
	}
	return pattern().FindString(text)
}
