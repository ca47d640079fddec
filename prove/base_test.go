package prove_test

import (
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/prove"
)

// What a change only adds tests to is known from its red; where an old test fails there,
// or another row may have come, it is measured.
func TestChange_trees(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "python3", "pytest")
	const head = "from fee import fee, total\n\n\n"
	const old = "def test_fee():\n    assert fee(100) == 2\n"
	const row = "import pytest\nfrom fee import fee, total\n\nROWS = [\n    (100, 2),\n]\n\n\n@pytest.mark.parametrize('cents, want', ROWS)\ndef test_fee(cents, want):\n    assert fee(cents) == want\n"
	for name, tt := range map[string]struct {
		was, now string
		verdict  prove.Verdict
		runs     int
	}{
		"a test more":       {head + old, head + old + "\n\ndef test_total():\n    assert total([100, 200]) == 306\n", prove.Proven, 2},
		"a row more":        {row, "import pytest\nfrom fee import fee, total\n\nROWS = [\n    (100, 2),\n    (200, 4),\n]\n\n\n@pytest.mark.parametrize('cents, want', ROWS)\ndef test_fee(cents, want):\n    assert fee(cents) == want\n", prove.Pinned, 3},
		"one fails anyway":  {head + old + "\n\ndef test_sum():\n    assert total([]) == 1\n", head + old + "\n\ndef test_sum():\n    assert total([]) == 1\n\n\ndef test_total():\n    assert total([100, 200]) == 306\n", prove.Proven, 3},
		"another old value": {head + old, head + "def test_fee():\n    assert fee(101) == 2\n\n\ndef test_total():\n    assert total([100, 200]) == 306\n", prove.Proven, 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const fee = "def fee(cents):\n    return cents // 50\n\n\n"
			repo, change := changeOf(t, gittest.Files{
				"before/fee.py": fee + "def total(all):\n    return sum(all)\n", "after/fee.py": fee + "def total(all):\n    return sum(all) + sum(map(fee, all))\n",
				"before/test_fee.py": tt.was, "after/test_fee.py": tt.now,
			})
			r := of(t, repo, prove.Quick, change)
			if r.Verdict != tt.verdict || r.Runs != tt.runs {
				t.Errorf("%s (%s), %d trees measured; want %s, %d", r.Verdict, r.Why, r.Runs, tt.verdict, tt.runs)
			}
		})
	}
}
