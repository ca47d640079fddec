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
		asked  Tier
		ms     int64
		want   Tier
		budget time.Duration
		brief  bool
	}{
		{"", 800, Full, 15 * time.Second, false},
		{"", 4_000, Full, 24 * time.Second, false},
		{"", 40_000, Full, time.Minute, true},
		{"", 200_000, Quick, 0, true},
		{Quick, 800, Quick, 0, true},
		{Full, 200_000, Full, 0, false},
	} {
		p := proof{how: Options{Tier: tc.asked}, after: gates.Facts{TestMS: tc.ms}}
		if p.choose(); p.Tier != tc.want || p.how.Tier != tc.want || p.how.Budget != tc.budget || p.brief != tc.brief {
			t.Errorf("%q, %d ms: %q for %v, want %q for %v", tc.asked, tc.ms, p.Tier, p.how.Budget, tc.want, tc.budget)
		}
	}
}
