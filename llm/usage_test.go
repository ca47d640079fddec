package llm_test

import (
	"testing"

	"github.com/git-tdd/git-tdd/llm"
)

func TestUsage(t *testing.T) {
	t.Parallel()
	for want, u := range map[string]llm.Usage{
		"0 in, 0 out":      {},
		"5321 in, 811 out": {Prompt: 5321, Completion: 811},
		"5321 in, 811 out, 4000 cached (estimated)": {Prompt: 5321, Completion: 811, Cached: 4000, Estimated: true},
	} {
		if got := u.String(); got != want {
			t.Errorf("%+v: %q, want %q", u, got, want)
		}
	}
}
