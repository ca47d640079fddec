package java

import (
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

var asksPattern = lazyregexp.New(`\bStackWalker\b|\bgetStackTrace\s*\(|\bClass\.forName\s*\(\s*"(?:org\.junit|org\.testng|org\.opentest4j)|\bimport\s+(?:static\s+)?(?:org\.junit|org\.testng|org\.opentest4j|org\.assertj|org\.hamcrest|org\.mockito|kotlin\.test|io\.kotest|io\.mockk)\b|"(?:sun\.java\.command|surefire[^"]*|java\.class\.path)"|\bsetSecurityManager\b|\bRuntime\.getRuntime\(\)\.halt\b|\bManagementFactory\b|\bProcessHandle\b`)

var leavesPattern = lazyregexp.New(`\b(?:System\.exit|exitProcess)\s*\(`)

var programPattern = lazyregexp.New(`\bstatic\s+(?:public\s+)?void\s+main\s*\(|\bfun\s+main\s*\(`)

var helpsPattern = lazyregexp.New(`(?m)^\s*import\s+(?:static\s+)?(?:org\.junit|junit\.framework|org\.testng|org\.assertj|org\.hamcrest|org\.mockito|kotlin\.test|io\.kotest|io\.mockk)\b`)

// awareness is how sources in Java ask whether they are tested.
func awareness() testrun.Awareness {
	return testrun.Awareness{Asks: &asksPattern, Helps: &helpsPattern, Leaves: &leavesPattern, Program: &programPattern}
}
