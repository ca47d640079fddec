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
		{In: 5321, Out: 811, Cached: 4000, Estimated: true},
		{In: 1},
	} {
		s := gates.Step{Tokens: u.TokensText()}
		if got := s.Usage(); got != u {
			t.Errorf("%q: %+v", s.Tokens, got)
		}
	}
	for _, s := range []gates.Step{
		{},
		{Tokens: "many in, 99999999999999999999 out"},
		{Tokens: "-5"},
		{Tokens: "in 5 inches"},
	} {
		if got := s.Usage(); got != (gates.Usage{}) {
			t.Errorf("%+v: %+v", s, got)
		}
	}
}
