package shell

import (
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

var asksPattern = lazyregexp.New(`\bBATS\w*|\bFUNCNAME\b|\bcaller\b\s*[0-9$)]|\$PPID\b|\bps\s+-|/dev/fd/3|>&3\b`)

var helpsPattern = lazyregexp.New(`(?m)^\s*(?:bats_)?load\s+['"]?\S*bats-(?:assert|support|file)`)

// awareness is how sources in shell ask whether they are tested.
func awareness() testrun.Awareness {
	return testrun.Awareness{Asks: &asksPattern, Helps: &helpsPattern}
}
