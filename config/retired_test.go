package config_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
)

// What went is read for one release: what still counts of it counts, and each is told in
// a line.
func TestRetired(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file, env string
		told      []string
		holds     func(s config.Settings) bool
	}{
		{"max_cycles: 3\n", "", []string{".tdd.yaml, line 1: max_cycles: 3, a retired setting, asked for MORE than happens now: a run asks a person after twice max_attempts_per_agent"}, nil},
		{"max_cycles: 30\n", "", []string{"max_cycles: 30, a retired setting: "}, nil},
		{"", "GIT_TDD_MAX_CYCLES=3", []string{"GIT_TDD_MAX_CYCLES: 3, a retired setting, asked for MORE"}, nil},
		{"llm: {plan: off, budget: {requests: 9}}\n", "", []string{"llm.budget.requests: 9, a retired setting, asked for MORE", "llm.plan: off"}, nil},
		{"llm: {budget: {money: 2.5}, prices: {m: {in: 0.4, out: 1.6}}}\n", "", []string{"llm.budget.money: 2.5, a retired setting, asked for MORE", "llm.prices"}, nil},
		{"roles: {tester: {model: small, by: human}}\n", "", []string{"roles.tester.by: human"}, func(s config.Settings) bool { return s.Roles[gates.Tester].ByHuman() }},
		{"", "GIT_TDD_ROLES_TESTER_BY=human", []string{"GIT_TDD_ROLES_TESTER_BY: human"}, func(s config.Settings) bool { return s.Roles[gates.Tester].ByHuman() }},
		{"roles: {tester: {by: exec, agent: claude}}\n", "", []string{"roles.tester.by: exec"}, func(s config.Settings) bool { return s.Roles[gates.Tester].ByAgent() }},
		{"roles: {tester: {prompt: {extend: a.md}}}\n", "", []string{"roles.tester.prompt.extend: a.md"}, func(s config.Settings) bool { return s.Roles[gates.Tester].Prompt == "a.md" }},
		{
			"language: {name: go, link: [b]}\nworkbench: {link: [a]}\n", "",
			[]string{"language.link: a list of 1 item"},
			func(s config.Settings) bool { return slices.Equal(s.Workbench.Link, []string{"a", "b"}) },
		},
		{"language: {name: go, link: [b]}\n", "", []string{"language.link"}, func(s config.Settings) bool { return slices.Equal(s.Workbench.Link, []string{"b"}) }},
		{"ci: {report: {path: a/*.xml, format: junit}}\n", "", []string{"ci.report.format: junit", "ci.report.path: a/*.xml"}, func(s config.Settings) bool { return s.CI.Report == "a/*.xml" }},
		{"ci:\n  report:\n    format: tap\n", "", []string{".tdd.yaml, line 3: ci.report.format: tap"}, func(s config.Settings) bool { return s.CI.Report == "tap" }},
		{"", "GIT_TDD_CI_REPORT_FORMAT=junit GIT_TDD_CI_REPORT_PATH=a.xml", []string{"_FORMAT: junit", "_PATH: a.xml"}, func(s config.Settings) bool { return s.CI.Report == "a.xml" }},
		{"gates: {mutants: refuse}\n", "", []string{"gates.mutants: refuse"}, func(s config.Settings) bool { return s.Gates.RefusesMutants() && !s.Gates.Tells("red") }},
		{"gates: {enforce: tell, mutants: refuse}\n", "", []string{"gates.mutants: refuse"}, func(s config.Settings) bool { return s.Gates.RefusesMutants() && s.Gates.Tells("red") }},
		{"gates: {mutants: report}\n", "", []string{"gates.mutants: report"}, func(s config.Settings) bool { return !s.Gates.RefusesMutants() }},
	} {
		s, err := config.Parse([]byte(tt.file), strings.Fields(tt.env), lang.All())
		gittest.Check(t, err)
		if len(s.Retired) != len(tt.told) {
			t.Errorf("%s%s tells %v", tt.file, tt.env, s.Retired)
			continue
		}
		for i, want := range tt.told {
			if got := s.Retired[i].String(); !strings.Contains(got, want) {
				t.Errorf("%s%s tells %s", tt.file, tt.env, got)
			}
		}
		if tt.holds != nil && !tt.holds(s) {
			t.Errorf("%s%s is read as %+v", tt.file, tt.env, s)
		}
	}
}

// A value that goes on is checked where it goes, and a file is never the worse for it.
func TestRetiredIsChecked(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"ci: {report: {format: junit}}\n":                      "ci.report: the text \"junit\"; write the files that the runner writes",
		"roles: {tester: {prompt: {extend: ../a.md}}}\n":       "line 1: roles.tester.prompt",
		"roles: &a {tester: {by: human}}\nprojects: {a: *a}\n": "an anchor or alias",
	} {
		if got := problems(t, file); !strings.Contains(strings.Join(got, "\n"), want) {
			t.Errorf("%s gives %q", file, got)
		}
	}
}
