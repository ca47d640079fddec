package check_test

import (
	"testing"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// What another language's tools obey is foreign; what the project's own language
// calls anything is judged by that.
func TestForeign(t *testing.T) {
	t.Parallel()
	rules := testrun.PathRules
	one := testrun.Language{Name: "one", Rules: append(rules(gates.KindConfig, "one.toml"), rules(gates.KindSource, "**/*.one")...)}
	two := testrun.Language{Name: "two", Rules: append(rules(gates.KindConfig, "two.toml", "**/*.one"), rules(gates.KindSource, "**/*.two")...)}
	c := check.New(check.Options{Languages: testrun.Languages{one, two}})
	for path, want := range map[string]bool{"two.toml": true, "one.toml": false, "a.one": false, "a.two": false, "README": false} {
		if got := c.Foreign(one, path); got != want {
			t.Errorf("%s: foreign %v", path, got)
		}
	}
}
