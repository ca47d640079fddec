package gates_test

import (
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, u := range []gates.Usage{
		{},
		{In: 5321, Out: 811},
		{In: 5321, Out: 811, Cached: 4000, Estimated: true, Cost: 0.0042},
		{In: 1, Cost: 12},
	} {
		s := gates.Step{Tokens: u.TokensText(), Cost: u.CostText()}
		if got := s.Usage(); got != u {
			t.Errorf("%q, %q: %+v", s.Tokens, s.Cost, got)
		}
	}
	for _, s := range []gates.Step{
		{},
		{Tokens: "many in, 99999999999999999999 out", Cost: "NaN"},
		{Tokens: "-5", Cost: "-3"},
		{Tokens: "in 5 inches", Cost: "+Inf"},
	} {
		if got := s.Usage(); got != (gates.Usage{}) {
			t.Errorf("%+v: %+v", s, got)
		}
	}
}
