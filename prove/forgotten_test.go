package prove

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

// Where all the like of something new are named, and it is not, it may be forgotten.
func TestForgotten(t *testing.T) {
	t.Parallel()
	const (
		states  = "const (\n\tOpen State = iota\n\tActive\n\tDone\n)\n\nfunc name(s State) string {\n\tswitch s {\n\tcase Open:\n\t\treturn \"open\"\n\tcase Active:\n\t\treturn \"active\"\n\tcase Done:\n\t\treturn \"done\"\n\t}\n}\n"
		parse   = "func parse(s string) State {\n\tswitch s {\n\tcase \"open\":\n\t\treturn Open\n\tcase \"active\":\n\t\treturn Active\n\tcase \"done\":\n\t\treturn Done\n\t}\n}\n"
		blocked = "\tcase \"blocked\":\n\t\treturn Blocked\n\t}\n}\n"
		asks    = "for s in [\"open\", \"active\", \"done\"]:\n    assert is_new(s)\n"
	)
	with := strings.NewReplacer("\tDone\n", "\tDone\n\tBlocked\n", "return \"done\"\n", "return \"done\"\n\tcase Blocked:\n\t\treturn \"blocked\"\n").Replace(states)
	for name, c := range map[string]struct {
		was, now gates.File
		want     string
	}{
		"a case":            {now: gates.File{Source: with + parse}, was: gates.File{Source: states + parse}, want: "20-28 'blocked' is not among 'open', 'active', 'done'"},
		"none":              {now: gates.File{Source: with + strings.TrimSuffix(parse, "\t}\n}\n") + blocked}, was: gates.File{Source: states + parse}},
		"a row of a test":   {now: gates.File{Source: with, Test: asks}, was: gates.File{Source: states, Test: asks}, want: "1-2 'blocked' is not among 'open', 'active', 'done'"},
		"asked elsewhere":   {now: gates.File{Source: with + "is_new(s)", Test: asks + "assert not is_new('blocked')\n"}, was: gates.File{Source: states, Test: asks}},
		"only some of them": {now: gates.File{Source: with + "final = [\"active\", \"done\"]\n"}, was: gates.File{Source: states}},
		"what is imported":  {now: gates.File{Source: "import (\n\t\"fmt\"\n\t\"slices\"\n\t\"strings\"\n\t\"unicode\"\n)\n", Test: "import (\n\t\"fmt\"\n\t\"slices\"\n\t\"strings\"\n)\n"}, was: gates.File{Source: "import (\n\t\"fmt\"\n\t\"slices\"\n\t\"strings\"\n)\n"}},
		"behind a blank":    {now: gates.File{Source: "class A\n  SELF = 1\n\n  DOT = 2\n  ONE = 3\n  TWO = 4\nend\n"}, was: gates.File{Source: "class A\n  DOT = 2\n  ONE = 3\n  TWO = 4\nend\n"}},
		"what is called":    {now: gates.File{Source: "f(x, Open, Active, Done, Blocked)\ng(Open, Active, Done)\n"}, was: gates.File{Source: "f(x, Open, Active, Done)\ng(Open, Active, Done)\n"}},
	} {
		p := &proof{Report: Report{Verdict: Proven}}
		c.was.Path, c.now.Path = "a", "a"
		p.Change.Files = []gates.FileChange{{Old: &c.was, New: &c.now}}
		got := gates.Each(p.forgotten(), func(l Lines) string { return strings.TrimPrefix(l.Where(), "a:") + " " + l.Text })
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestLines_Where(t *testing.T) {
	t.Parallel()
	for want, l := range map[string]Lines{"a": {Path: "a"}, "a:2": {Path: "a", First: 2, Last: 2}, "a:2-3": {Path: "a", First: 2, Last: 3}, "": {}} {
		if got := l.Where(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
