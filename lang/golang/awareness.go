package golang

import (
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

var asksPattern = lazyregexp.New(`\btesting\.(?:Testing|Short|Verbose|CoverMode|Init|MainStart)\(|\bflag\.Lookup\("test\.|"-?-?test\.\w|\.test"|\bruntime\.(?:Callers?|Stack|CallersFrames)\(|\bdebug\.(?:PrintStack|Stack|ReadBuildInfo)\(|^\s*(?:\w+\s+)?"testing"|//go:linkname|\bos\.Getppid\(`)

var leavesPattern = lazyregexp.New(`\bos\.(?:Exit|Args|Executable)\b|\bsyscall\.(?:Exit|Kill|Exec)\(|\blog\.Fatal|\bruntime\.Goexit\(`)

var programPattern = lazyregexp.New(`(?m)^package main\b`)

var helpsPattern = lazyregexp.New(`(?m)^\s*(?:import\s+)?(?:\w+\s+)?"testing"\s*$`)

// awareness is how sources in Go ask whether they are tested.
func awareness() testrun.Awareness {
	return testrun.Awareness{Asks: &asksPattern, Helps: &helpsPattern, Leaves: &leavesPattern, Program: &programPattern}
}
