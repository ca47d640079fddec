package lang_test

import (
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

func TestDescribe(t *testing.T) {
	t.Parallel()
	l, err := lang.All().Describe(testrun.Description{
		Name: "tcl", Test: []string{"t/**"}, Support: []string{"t/lib/**"}, Source: []string{"**/*.tcl"}, Config: []string{"t/all.tcl"},
		Declares: []string{`^test (\S+)`, `^(?:a(\w)|b(\w))$`}, Asserts: []string{`==\s+\d+`},
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]gates.Kind{
		"t/lib/a.tcl": gates.KindSupport, "t/all.tcl": gates.KindTest, "a.tcl": gates.KindSource,
		"x/fixtures/a.tcl": gates.KindSource, "x/fixtures/a": gates.KindSupport, "a.md": gates.KindOther,
	} {
		if got := l.Kind(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if got := l.Declared("b2\ntest one ==\n 1\na1\ntest two\n"); !slices.Equal(got, []string{"2", "one", "1", "two"}) {
		t.Errorf("declared %q", got)
	}
	if got := l.Assertions("== 1 ==\n\t2"); !slices.Equal(got, []string{"== 1", "== 2"}) {
		t.Errorf("assertions %q", got)
	}
	if l.Inline() || l.Described == "" {
		t.Errorf("%+v", l)
	}
}

func TestDescribeRefused(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]testrun.Description{
		"unknown": {Name: "tcl"},
		"syntax":  {Name: "tcl", Declares: []string{"("}},
		"closed":  {Name: "tcl", Asserts: []string{"x)|(y"}},
		"empty":   {Name: "tcl", Asserts: []string{"x?"}},
		"group":   {Name: "tcl", Declares: []string{"x"}},
	} {
		if l, err := lang.All().Describe(d); err == nil {
			t.Errorf("%s: %+v", name, l)
		}
	}
}
