package prove_test

import (
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/prove"
)

// An old test that expects more than before makes a fix, and no refactoring.
func TestChange_asksMore(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	test := func(body string) string {
		return "package calc\n\nimport \"testing\"\n\nfunc TestFee(t *testing.T) {\n\tif got := Fee(100); got != 2 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n" + body + "}\n"
	}
	code := func(sum string) string { return "package calc\n\nfunc Fee(cents int) int { return " + sum + " }\n" }
	repo, change := changeOf(t, gittest.Files{
		"before/go.mod": "module example.com/calc\n\ngo 1.21\n", "before/calc.go": code("cents / 50"), "after/calc.go": code("cents/50 + cents%50"),
		"before/calc_test.go": test(""), "after/calc_test.go": test("\tif got := Fee(101); got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n"),
	})
	if r := of(t, repo, prove.Quick, change); r.Verdict != prove.Proven && r.Verdict != prove.WithGaps {
		t.Errorf("%s (%s)", r.Verdict, r.Why)
	}
}
