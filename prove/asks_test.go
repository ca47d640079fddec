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

// What a change does by calls alone is checked by a test that fails where they are left
// out; that it passes with another literal that does not matter says nothing.
func TestChange_calls(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	code := func(body string) string {
		return "package count\n\nimport \"reflect\"\n\nfunc Set(to, from any) {\n\tv := reflect.ValueOf(to).Elem()\n" + body + "}\n"
	}
	test := func(body string) string {
		return "package count\n\nimport \"testing\"\n\nfunc TestSet(t *testing.T) {\n\tvar i int\n\tif Set(&i, 3); i != 3 {\n\t\tt.Errorf(\"got %d\", i)\n\t}\n" + body
	}
	was := "\tn := reflect.ValueOf(from).Int()\n\tv.SetInt(n)\n"
	now := "\tn := reflect.ValueOf(from).Convert(reflect.TypeOf(int64(0))).Int()\n\tswitch v.Kind() {\n\tcase reflect.Uint:\n\t\tv.SetUint(uint64(n))\n\tdefault:\n\t\tv.SetInt(n)\n\t}\n"
	for name, tt := range map[string]struct {
		asks string
		want prove.Verdict
	}{
		"a value":  {"\tvar u uint\n\tif Set(&u, 5); u != 5 {\n\t\tt.Errorf(\"got %d\", u)\n\t}\n}\n", prove.WithGaps},
		"no value": {"}\n\nfunc TestSet_uint(t *testing.T) {\n\tvar u uint\n\tSet(&u, 5)\n}\n", prove.Refuted},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo, change := changeOf(t, gittest.Files{
				"before/go.mod": "module example.com/count\n\ngo 1.21\n", "before/count.go": code(was), "after/count.go": code(now),
				"before/count_test.go": test("}\n"), "after/count_test.go": test(tt.asks),
			})
			if r := of(t, repo, prove.Full, change); r.Verdict != tt.want {
				t.Errorf("%s (%s), want %s", r.Verdict, r.Why, tt.want)
			}
		})
	}
}

// What fails before and after is told beside what the change lets pass.
func TestChange_failsBefore(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	test := func(more string) string {
		return "package calc\n\nimport \"testing\"\n\nfunc TestOld(t *testing.T) { t.Error(\"old\") }\n" + more
	}
	one := func(name string) string {
		return "\nfunc " + name + "(t *testing.T) {\n\tif got := Fee(); got != 2 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
	}
	for more, want := range map[string]string{
		one("TestA"):                "calc.TestA fails without the change, and passes with it; 1 test fails before and after",
		one("TestA") + one("TestB"): "2 tests fail without the change, and pass with it; 1 test fails before and after",
	} {
		repo, change := changeOf(t, gittest.Files{
			"before/go.mod": "module calc\n\ngo 1.21\n", "before/calc.go": "package calc\n\nfunc Fee() int { return 1 }\n",
			"after/calc.go": "package calc\n\nfunc Fee() int { return 2 }\n", "before/calc_test.go": test(""), "after/calc_test.go": test(more),
		})
		if r := of(t, repo, prove.Quick, change); r.Why != want {
			t.Errorf("%q, want %q", r.Why, want)
		}
	}
}
