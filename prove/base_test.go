package prove_test

import (
	"fmt"
	"testing"

	"github.com/git-tdd/git-tdd/gitx"
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

// A commit that only adds tests is no red of one that answers what failed before it.
func TestFind_notItsRed(t *testing.T) {
	t.Parallel()
	const head = "package calc\n\nimport \"testing\"\n\n"
	const check = "func Test%s(t *testing.T) {\n\tif got := %s(1, 2); got != 3 {\n\t\tt.Errorf(\"got %%d, want 3\", got)\n\t}\n}\n"
	r := gittest.New(t)
	r.Write("go.mod", "module calc\n\ngo 1.21\n")
	r.Write("calc.go", "package calc\n\nfunc Sum(a, b int) int { return a - b }\n\nfunc Or(a, b int) int { return a | b }\n")
	r.Write("sum_test.go", head+fmt.Sprintf(check, "Sum", "Sum"))
	r.Commit("Start")
	r.Write("or_test.go", head+fmt.Sprintf(check, "Or", "Or"))
	r.Commit("Add a test of Or")
	r.Write("calc.go", "package calc\n\nfunc Sum(a, b int) int { return a + b }\n\nfunc Or(a, b int) int { return a | b }\n\nfunc Max(a, b int) int { return max(a, b+1) }\n")
	r.Write("max_test.go", head+fmt.Sprintf(check, "Max", "Max"))
	r.Commit("Mend Sum")
	repo, err := gitx.Open(t.Context(), gitx.Options{Dir: r.Dir, Environ: r.Env})
	gittest.Check(t, err)
	t.Cleanup(func() { _ = repo.Close() })
	change, err := prove.Find(t.Context(), repo, "HEAD")
	gittest.Check(t, err)
	if got := of(t, r, prove.Quick, change); got.Verdict != prove.Proven || got.Changed.Subject != "Mend Sum" {
		t.Errorf("%s (%s): %s", got.Verdict, got.Why, got.Changed.Subject)
	}
}
