package gates

import (
	"strings"
	"testing"
)

// TestBlame finds the place in the sources of a commit that a failure came from.
func TestBlame(t *testing.T) {
	t.Parallel()
	c := &Case{
		Premise: Premise{Change: Change{Files: []FileChange{
			{New: &File{Path: "calc.go", Kind: KindSource}, Old: &File{Path: "calc.go", Kind: KindSource}},
			{New: &File{Path: "src/calc.py", Kind: KindSource}},
			{New: &File{Path: "calc_test.go", Kind: KindTest}},
			{Old: &File{Path: "old.go", Kind: KindSource}},
		}}},
	}
	for _, example := range [][2]string{
		{"panic: no\n\ngoroutine 6:\npanic(...)\n\t/usr/lib/go/panic.go:860 +0x13a\ncalc.One()\n\t/w/calc.go:9 +0x25\ncalc.TestOne\n\t/w/calc_test.go:11", "calc.go:9"},
		{"Traceback:\n  File \"/w/src/calc.py\", line 10, in one", "src/calc.py:10"},
		{"    def test_one():\n>       one()\nsrc/calc.py:10: SystemExit", "src/calc.py:10"},
		{"calc_test.go:12: got 0", "t_test.go:3"},
		{"at one (file:///w/notcalc.go:9:3), mycalc.go:4, old.go:7", "t_test.go:3"},
		{"", "t_test.go:3"},
		{"calc.go:99999999999999999999", "t_test.go:3"},
		{`C:\w\src\calc.py:8: boom`, "src/calc.py:8"},
		{"see http://example.org/calc.go:80/x", "calc.go:80"},
	} {
		message, want := example[0], example[1]
		f := c.blame(Test{ID: "T", File: "t_test.go", Line: 3, Message: message}, "fails", "mend")
		if got := (Finding{Gate: "g", Path: f.Path, Line: f.Line}).where(); got != want {
			t.Errorf("%q: %s, want %s", message, got, want)
		}
	}
	if got := Cause("self = <T>\n\n    def test_one(self):\n>       one()\nE       SystemExit: 0\nE  x"); got != "SystemExit: 0\nE  x" {
		t.Errorf("%q", got)
	}
}

// TestGist says in a line what went wrong.
func TestGist(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"thread 'a' (7) panicked at tests/a.rs:3:9:\ncalled `x` on y\nnote: z":                                                         "called `x` on y",
		"thread 'a' (7) panicked at tests/a.rs:3:9:\nassertion `left == right` failed\n  left: 1\n right: 2":                           "assertion `left == right` failed: left: 1, right: 2",
		"    def test_one():\n>       one()\nE       SystemExit: 0\nE  x":                                                              "SystemExit: 0",
		"(from function `flunk' in file a.bash, line 33,\n in test file a.bats, line 5)\n  `assert_failure x' failed\nexpected no 0\n": "`assert_failure x' failed: expected no 0",
		"(in test file a.bats, line 5)\n  `[ \"$status\" -eq 0 ]' failed with status 2":                                                "`[ \"$status\" -eq 0 ]' failed with status 2",
		"(in test file a.bats, line 5)\n  `assert_output a' failed\n\n-- output differs --\nexpected : a\nactual   : b\n--":            "`assert_output a' failed: expected: a, actual: b",
		"--- expected\n+++ actual\n@@ -1,2 +1,2 @@\n [1,\n-2]\n+3]\n":                                                                  "expected: 2], actual: 3]",
		"They differ.\n--- Expected\n+++ Actual\n@@ @@\n-'a'\n+'b'\n":                                                                  "They differ: expected: 'a', actual: 'b'",
		"--- expected\n+++ actual\n@@ -1,2 +1 @@\n \"a\n-b\"\n":                                                                        "expected: b\", actual: ",
		"\nexpected: \"\\e[0K\"\n     got: \"\"\n\n(compared using ==)\n":                                                              "expected: \"\\e[0K\", got: \"\"",
		"\nexpected: " + strings.Repeat("x", 90) + "\n     got: 2":                                                                     "expected: " + strings.Repeat("x", 72) + "…, got: 2",
		"expect(received).toBe(expected)\n\nExpected: 3\nReceived: 2":                                                                  "expect(received).toBe(expected): Expected: 3, Received: 2",
		"Expected: 5\n  Actual: 4\na_test.rb:6":                                                                                        "Expected: 5, Actual: 4",
	} {
		if got := Gist(message); got != want {
			t.Errorf("%q: got %q, want %q", message, got, want)
		}
	}
}

// TestLeavers names the line that ended a run, where the change shows one.
func TestLeavers(t *testing.T) {
	t.Parallel()
	c := &Case{
		Premise: Premise{Plays: Implementor, Change: Change{Files: []FileChange{{
			New: &File{Path: "calc.go", Kind: KindSource}, Asks: []Asking{{Line: 2, Text: "os.Args"}, {Line: 9, Text: "os.Exit"}},
		}}}},
		Measured: Measured{After: Facts{Outcome: Crashed}},
	}
	out := green(c)
	if len(out) != 1 || out[0].Path != "calc.go" || out[0].Line != 9 || !strings.Contains(out[0].Seen, `adds "os.Exit" there`) || !out[0].Unjudged {
		t.Errorf("%+v", out)
	}
	c.After.Outcome = Timeout
	if out := green(c); len(out) != 1 || out[0].Path != "" {
		t.Errorf("%+v", out)
	}
}
