package gates

import "testing"

// What is to be done next is one line, however many tests a red has.
func TestExpected_manyReds(t *testing.T) {
	t.Parallel()
	p := Position{Step: Step{Phase: PhaseRed}}
	for want, ids := range map[string][]string{
		"feat: … or fix: … that makes a, b and c pass":         {"a", "b and c"},
		"feat: … or fix: … that makes a, b, c and 2 more pass": {"a", "b", "c", "d", "e"},
		"feat: … or fix: … that makes the red test pass":       nil,
	} {
		p.Step.Red = Each(ids, func(id string) Red { return Red{ID: id, Class: ClassAssertion} })
		if got := p.Expected(Implementor); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
