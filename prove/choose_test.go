package prove

import (
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gates"
)

// Where the tier is left open, a suite that is not slow has the full one, for a while;
// whoever names one has that.
func TestChoose(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		asked    Tier
		ms       int64
		want     Tier
		budget   time.Duration
		plain    bool
		patience time.Duration
	}{
		{"", 800, Full, 15 * time.Second, false, 5 * time.Second},
		{"", 4_000, Full, 16 * time.Second, false, 16 * time.Second},
		{"", 40_000, Full, time.Minute, true, time.Minute},
		{"", 200_000, Quick, 0, true, 0},
		{Quick, 800, Quick, 0, true, 0},
		{Full, 200_000, Full, 0, false, 0},
	} {
		p := proof{how: Options{Tier: tc.asked}, after: gates.Facts{TestMS: tc.ms}}
		if p.choose(); p.Tier != tc.want || p.how.Tier != tc.want || p.how.Budget != tc.budget || p.Plain != tc.plain || p.Patience != tc.patience {
			t.Errorf("%q, %d ms: %q for %v, want %q for %v", tc.asked, tc.ms, p.Tier, p.how.Budget, tc.want, tc.budget)
		}
	}
}
