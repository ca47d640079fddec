package cpp

import (
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

var asksPattern = lazyregexp.New(`\bprogram_invocation_(?:short_)?name\b|#\s*include\s*[<"](?:gtest|gmock|catch2?|doctest|boost/test)/?|\btesting::(?:UnitTest|Test)\b|\b(?:backtrace|dladdr|ptrace|getppid)\s*\(|#\s*if(?:n?def|\s+!?\s*defined)?\s*\(?\s*\w*(?:UNIT_?TEST|TESTING|GTEST|CATCH_CONFIG|DOCTEST)\w*|\b_exit\s*\(|\bquick_exit\s*\(`)

var leavesPattern = lazyregexp.New(`\b(?:std::)?(?:exit|_Exit|abort|terminate)\s*\(`)

var programPattern = lazyregexp.New(`\bint\s+main\s*\(`)

var helpsPattern = lazyregexp.New(`(?m)^\s*#\s*include\s*[<"](?:gtest|gmock|catch2?|doctest)/`)

// awareness is how sources in C and C++ ask whether they are tested.
func awareness() testrun.Awareness {
	return testrun.Awareness{Asks: &asksPattern, Helps: &helpsPattern, Leaves: &leavesPattern, Program: &programPattern}
}
