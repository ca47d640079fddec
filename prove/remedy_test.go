package prove_test

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/prove"
)

// Whoever asks what a change is worth need not know the trailers of a commit.
func TestChange_remediesWithoutTrailers(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "python3", "pytest")
	test := "from fee import fee\n\n\ndef test_fee():\n    assert fee(100) == 2\n"
	repo, change := changeOf(t, gittest.Files{
		"before/fee.py": "def fee(cents):\n    return cents // 50\n", "before/test_fee.py": test,
		"after/fee.py": "def fee(cents):\n    return max(cents // 50, 0)\n", "after/test_fee.py": test + "\n\ndef test_none():\n    try:\n        fee(None)\n    except TypeError:\n        pass\n",
	})
	r := of(t, repo, prove.Full, change)
	if len(r.Findings) == 0 || r.Verdict.Holds() {
		t.Fatalf("%s: %s", r.Verdict, r.Why)
	}
	for _, f := range r.Findings {
		if f.Remedy == "" || strings.Contains(f.Remedy, "Tdd-") {
			t.Errorf("%s → %s", f.Seen, f.Remedy)
		}
	}
}
