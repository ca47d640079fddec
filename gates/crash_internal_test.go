package gates

import "testing"

// A red that failed by what it asserts, and can fail, is not refused because the small errors
// that were tried make it crash, or are those that old tests notice; one that misses an error
// which no test notices is.
func TestIdle_crashOnly(t *testing.T) {
	t.Parallel()
	facts := func(outcome Outcome, status Status, class Class) Facts {
		return Facts{Outcome: outcome, Tests: []Test{{ID: "new", Status: status, Class: class}}}
	}
	crash, miss := facts(Failed, StatusFailed, ClassException), facts(Passed, StatusPassed, "")
	crash.Tests[0].Message = "IndexError: list index out of range"
	noticed := facts(Failed, StatusPassed, "")
	for name, one := range map[string]struct {
		was    Class
		grade  Grade
		trials []Trial
		note   bool
	}{
		"crashes":                         {ClassAssertion, GradeValue, []Trial{{Reds: crash}}, true},
		"crashes after an exception":      {ClassException, GradeValue, []Trial{{Reds: crash}}, true},
		"crashes and what others notice":  {ClassAssertion, GradeValue, []Trial{{Reds: crash}, {Reds: miss, Suite: &noticed}}, true},
		"crashes and what nobody notices": {ClassAssertion, GradeValue, []Trial{{Reds: crash}, {Reds: miss, Suite: &miss}}, false},
		"not asked of others":             {ClassAssertion, GradeValue, []Trial{{Reds: miss}}, false},
		"a red that did not compile":      {ClassMissingSymbol, GradeValue, []Trial{{Reds: crash}}, false},
		"a test that checks nothing":      {ClassAssertion, GradeNone, []Trial{{Reds: crash}}, false},
	} {
		for i := range one.trials {
			one.trials[i].Mutants = []Mutant{{Path: "calc.py", Line: 2, What: "1 for 0"}}
		}
		c := &Case{
			Premise:  Premise{Plays: Implementor, Agent: true, Before: facts(Failed, StatusFailed, one.was), Position: Position{Step: Step{Number: 1, Phase: PhaseRed}}},
			Measured: Measured{After: miss},
			Worth:    Worth{Evidence: &Evidence{After: map[string]Grade{"new": one.grade}, Trials: one.trials}},
		}
		if got := idle(c); len(got) != 1 || got[0].Note != one.note || (got[0].Owner == "") != one.note {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
