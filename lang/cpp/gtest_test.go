package cpp

import (
	"testing"

	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

// TestGTestWords demands that the first line of a failure says what was seen.
func TestGTestWords(t *testing.T) {
	t.Parallel()
	for text, words := range map[string]string{
		"/w/a.cpp:5\nExpected equality of these values:\n  add(\"\")\n    Which is: 1\n  0": "Expected equality of these values: add(\"\") (which is 1), 0\n/w/a.cpp:5",
		"/w/a.cpp:5\nExpected equality of these values:\n  1\n  0\nempty is zero":           "Expected equality of these values: 1, 0\nempty is zero\n/w/a.cpp:5",
		"/w/a.cpp:7\nValue of: odd(2)\n  Actual: false\nExpected: true":                     "Value of: odd(2)\n  Actual: false\nExpected: true\n/w/a.cpp:7",
		"unknown file\nC++ exception with description \"x:\n  y\" thrown in the test body.": "C++ exception with description \"x: y\" thrown in the test body.",
		"a line of its own": "a line of its own",
		"first\nsecond":     "first\nsecond",
		"":                  "",
	} {
		projecttest.Want(t, text, gtestWords(text), words)
	}
}
