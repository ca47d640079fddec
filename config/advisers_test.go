package config_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/lang"
)

func TestAdvisers(t *testing.T) {
	t.Parallel()
	s, err := config.Parse(nil, nil, lang.All())
	if err != nil || s.Advised(config.Reviewer) || slices.Contains(s.Asked(), config.Reviewer) {
		t.Fatalf("a reviewer from nowhere: %v", err)
	}
	for name, from := range map[string]struct {
		file string
		env  []string
	}{
		"file":        {file: "roles: {reviewer: {model: \"far:big\", temperature: 0}}\nllm: {providers: {far: {base_url: \"https://far.example/v1\"}}}\n"},
		"environment": {file: "llm: {providers: {far: {base_url: \"https://far.example/v1\"}}}\n", env: []string{"GIT_TDD_ROLES_REVIEWER_MODEL=far:big"}},
	} {
		s, err := config.Parse([]byte(from.file), from.env, lang.All())
		if err != nil {
			t.Fatal(err)
		}
		m, err := s.Model(config.Reviewer)
		if err != nil || m.Spec != "far:big" || m.Name != "big" || m.Endpoint.BaseURL != "https://far.example/v1" {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
		if !s.Advised(config.Reviewer) || !slices.Contains(s.Asked(), config.Reviewer) || slices.Contains(s.Rotation, config.Reviewer) {
			t.Errorf("%s: no reviewer", name)
		}
		if s.Plays(config.Reviewer) != "" || s.Next(gates.Refactorer) != gates.Tester {
			t.Errorf("%s: the reviewer takes a turn", name)
		}
	}
}

// An adviser takes no step, so nothing can say how it does.
func TestAdvisersRefused(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"roles: {reviewer: {plays: refactorer, model: m}}\n":                         "roles.reviewer.plays",
		"roles: {planner: {plays: tester}}\n":                                        "the planner takes no steps",
		"roles: {planner: {model: m}}\nrotation: [planner, tester, implementor]\n":   "the planner, which takes no turn",
		"roles: {reviewer: {model: human}}\n":                                        "the reviewer takes no steps, so no person can",
		"roles: {reviewer: {agent: claude}}\n":                                       "roles.reviewer.agent",
		"roles: {reviewer: {model: m, agent: claude}}\n":                             "roles.reviewer.agent",
		"roles: {reviewer: {temperature: 0.1}}\n":                                    "who is to be the reviewer",
		"roles: {reviewer: {model: \"far:\"}}\n":                                     "no model after the colon",
		"roles: {reviewer: {mode: m}}\n":                                             "unknown key",
		"roles: {reviewer: {model: m}}\nrotation: [tester, implementor, reviewer]\n": "which takes no turn",
	} {
		_, err := config.Parse([]byte(file), nil, lang.All())
		if _, ok := errors.AsType[*config.Error](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%sgives %v, without %q", file, err, want)
		}
	}
}
