package config_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/config"
)

func TestEnforce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, environ string
		tells         []string
	}{
		{file: ""},
		{file: "gates: {enforce: refuse}"},
		{file: "gates: {enforce: tell}", tells: []string{"turn", "hollow", "default"}},
		{file: "gates: {enforce: {hollow: tell}}", tells: []string{"hollow"}},
		{file: "gates: {enforce: {default: tell, hollow: refuse}}", tells: []string{"turn", "default"}},
		{file: "gates: {enforce: {default: tell, hollow: refuse}}", environ: "GIT_TDD_GATES_ENFORCE=refuse"},
		{file: "gates: {enforce: tell}", environ: "GIT_TDD_GATES_ENFORCE_SAME_TESTS=refuse", tells: []string{"turn", "hollow", "default"}},
	} {
		s := parse(t, c.file, c.environ)
		for _, gate := range []string{"turn", "hollow", "same-tests", "default"} {
			want := slices.Contains(c.tells, gate) || gate == "same-tests" && slices.Contains(c.tells, "turn") && c.environ == ""
			if s.Gates.Tells(gate) != want {
				t.Errorf("%s %s: %s tells: %v", c.file, c.environ, gate, !want)
			}
		}
		again := parse(t, string(config.Render(s)))
		if slices.Compare(again.Gates.Telling(), s.Gates.Telling()) != 0 {
			t.Errorf("%s: rendered %q", c.file, again.Gates.Enforce)
		}
	}
}

func TestEnforce_refused(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"gates: {enforce: tel}":             "write tell",
		"gates: {enforce: warn}":            "write one of refuse, tell",
		"gates: {enforce: [hollow]}":        "write keys under it: default, mutants, message",
		"gates: {enforce: {holow: tell}}":   "write hollow",
		"gates: {enforce: {hollow: maybe}}": "write one of refuse, tell",
	} {
		if got := strings.Join(problems(t, file), "\n"); !strings.Contains(got, want) {
			t.Errorf("%s: %s", file, got)
		}
	}
}
