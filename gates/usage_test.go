package gates_test

import (
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

func TestUsage(t *testing.T) {
	t.Parallel()
	for want, u := range map[string]gates.Usage{
		"0 in, 0 out":      {},
		"5321 in, 811 out": {In: 5321, Out: 811},
		"5321 in, 811 out, 4000 cached (estimated)": {In: 5321, Out: 811, Cached: 4000, Estimated: true},
	} {
		if got := u.TokensText(); got != want {
			t.Errorf("%+v: %q, want %q", u, got, want)
		}
	}
}
