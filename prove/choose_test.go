package prove

import (
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gates"
)

// Where the tier is left open, a fast suite has the full one, for a while; whoever names
// one has that.
func TestChoose(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		asked  Tier
		ms     int64
		want   Tier
		budget time.Duration
	}{
		{"", 800, Full, FastBudget},
		{"", 120_000, Quick, 0},
		{Quick, 800, Quick, 0},
		{Full, 120_000, Full, 0},
	} {
		p := proof{how: Options{Tier: tc.asked}, after: gates.Facts{TestMS: tc.ms}}
		if p.choose(); p.Tier != tc.want || p.how.Tier != tc.want || p.how.Budget != tc.budget {
			t.Errorf("%q, %d ms: %q for %v, want %q for %v", tc.asked, tc.ms, p.Tier, p.how.Budget, tc.want, tc.budget)
		}
	}
}
