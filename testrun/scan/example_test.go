package scan_test

import (
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// The bracket in the string does not count, because it is masked.
func ExampleHeaded() {
	const text = "check(a(\")\"),\n  b);\nother(c);\ncheck(d);"
	const masked = "check(a(\"_\"),\n  b);\nother(c);\ncheck(d);"
	for _, call := range scan.Headed(text, masked, lazyregexp.New(`\bcheck`), func(masked string, _, at int) int {
		return scan.Closing(masked, at)
	}) {
		fmt.Println(call)
	}
	// Output:
	// check(a(")"), b)
	// check(d)
}

func ExampleExpectations() {
	const text = "describe sum\n  if fast\n    expect sum(1,\n      2) == 3\n  other\n"
	lines := scan.Lines(text, text, func(string, string) bool { return false })
	for _, expectation := range scan.Expectations(lines, lazyregexp.New(`^expect`), func(masked string) bool {
		return strings.HasPrefix(masked, "if ")
	}) {
		fmt.Println(expectation)
	}
	// Output: if fast expect sum(1, 2) == 3
}
