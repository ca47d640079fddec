package gates

import "testing"

// A characterization with a test that notices no error in the code is refused of agents,
// and told of people.
func TestPinsNothing(t *testing.T) {
	t.Parallel()
	passed := Facts{Outcome: Passed, Tests: []Test{{ID: "stable", Status: StatusPassed}}}
	failed := Facts{Outcome: Failed, Tests: []Test{{ID: "stable", Status: StatusFailed, Class: ClassAssertion}}}
	for name, one := range map[string]struct {
		reds      Facts
		agent     bool
		untried   bool
		note, bad bool
	}{
		"of an agent":         {reds: passed, agent: true, bad: true},
		"of a person":         {reds: passed, bad: true, note: true},
		"that notices":        {reds: failed, agent: true},
		"of code not reached": {agent: true, untried: true, bad: true, note: true},
	} {
		c := &Case{
			Premise:  Premise{Plays: Tester, Special: Characterization, Agent: one.agent},
			Measured: Measured{After: passed},
			Worth:    Worth{Evidence: &Evidence{After: map[string]Grade{"stable": GradeSense}, Untried: one.untried}},
		}
		if !one.untried {
			c.Evidence.Trials = []Trial{{Mutants: []Mutant{{Path: "calc.py", Line: 2, What: "1 for 0"}}, Reds: one.reds}}
		}
		got := idle(c)
		if (len(got) == 1) != one.bad || one.bad && got[0].Note != one.note {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
