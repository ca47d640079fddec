package journal_test

import (
	"fmt"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
)

// A test was planned, started and failed, the process ended, and the exit code
// agrees: that is a fact.
func ExampleRun_Verdict() {
	j := journal.New()
	for _, e := range []journal.Event{
		{Event: "plan", ID: "test_calc.py::test_add", File: "test_calc.py", Line: 3},
		{Event: "start", ID: "test_calc.py::test_add"},
		{Event: "verdict", ID: "test_calc.py::test_add", Status: "failed", Kinds: []string{"AssertionError"}, Message: "2 != 3"},
	} {
		j.Take(e)
	}
	j.Ended = 1
	run := journal.Run{
		Journal: j, End: testrun.Ended{Run: testrun.Run{Exit: 1}},
		Places: &testrun.Places{Dir: "/workbench", Language: testrun.Generic()},
		Explain: func(e journal.Event) journal.Finding {
			if slices.Contains(e.Kinds, "AssertionError") {
				return journal.Finding{Class: gates.ClassAssertion}
			}
			return journal.Finding{Class: gates.ClassException}
		},
	}
	v := run.Verdict()
	fmt.Println(v.Outcome, v.Tests[0].Class, v.Tests[0].Message)
	// Output: failed assertion 2 != 3
}
