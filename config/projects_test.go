package config_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
)

const several = `projects:
  .: {language: rust}
  packages/a.b: {language: typescript, check_cmd: [], reads: [packages/shared]}
  packages/shared: {language: javascript, test_cmd: [node, --test]}
  packages/shared/tool: {language: python}
ci: {timeout: 2m}
`

func TestSplit(t *testing.T) {
	t.Parallel()
	s, err := config.Parse([]byte(several), nil, lang.All())
	gittest.Check(t, err)
	all, err := s.Split(lang.All(), []string{"Cargo.toml"})
	gittest.Check(t, err)
	var got []string
	for _, p := range all {
		got = append(got, strings.Join([]string{p.Dir, p.Language.Name, strings.Join(p.Commands.Test, " "), strings.Join(p.Inner, " "), strings.Join(p.Unseen, " ")}, "; "))
		if p.Commands.Timeout.String() != "2m0s" {
			t.Errorf("%s: %s", p.Dir, p.Commands.Timeout)
		}
	}
	want := []string{
		"; rust; cargo test --all; packages/a.b packages/shared packages/shared/tool; packages/a.b packages/shared packages/shared/tool",
		"packages/a.b; typescript; npm test; ; packages/shared/tool",
		"packages/shared; javascript; node --test; packages/shared/tool; packages/a.b packages/shared/tool",
		"packages/shared/tool; python; python3 -m pytest; ; packages/a.b",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if again, err := config.Parse(config.Render(s), nil, lang.All()); err != nil || len(again.Projects) != 4 || again.Projects["packages/a.b"].CheckCmd == nil {
		t.Errorf("rendered and read again: %+v, %v", again.Projects, err)
	}
	over, err := config.Parse([]byte(several), []string{"GIT_TDD_PROJECTS_PACKAGES_SHARED_TEST_CMD=true"}, lang.All())
	if err != nil || !slices.Equal(over.Projects["packages/shared"].TestCmd, []string{"true"}) {
		t.Errorf("by the environment: %+v, %v", over.Projects["packages/shared"], err)
	}
}

func TestSplit_ofOneProject(t *testing.T) {
	t.Parallel()
	s, err := config.Parse([]byte("language: go\n"), nil, lang.All())
	gittest.Check(t, err)
	all, err := s.Split(lang.All(), nil)
	if err != nil || len(all) != 1 || all[0].Dir != "" || all.Language().Name != "go" || len(all[0].Unseen)+len(all[0].Inner) > 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestParse_refusesProjects(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"projects: {a: {}}":                                  "projects.a.language",
		"projects: {a: {language: cobol}}":                   "projects.a.language",
		"projects: {../a: {language: go}}":                   "projects.../a",
		"projects: {a/: {language: go}}":                     "projects.a/",
		"projects: {.git/a: {language: go}}":                 "projects..git/a",
		"projects: {a: {language: go, reads: [b]}}":          "projects.a.reads",
		"projects: {a: {language: go, reads: [a]}}":          "projects.a.reads",
		"projects: {a: {language: go}}\nlanguage: go":        "language",
		"projects: {a: {language: go}}\nci: {test_cmd: [x]}": "ci.test_cmd",
		"projects: {a: {language: go, cmd: [x]}}":            "projects.a.cmd",
	} {
		if _, err := config.Parse([]byte(text), nil, lang.All()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
}
