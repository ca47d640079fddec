package config_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
)

func TestEnvironment(t *testing.T) {
	t.Parallel()
	s := parse(t, "llm: {providers: {deep-seek.v3: {base_url: \"https://a.example/v1\"}}}\nsteps: 7",
		"HOME=/root",
		"GIT_TDD=1",
		"GIT_TDD_STEPS=3",
		"GIT_TDD_STEPS=4",
		"GIT_TDD_MAX_ATTEMPTS_PER_AGENT=",
		"GIT_TDD_LANGUAGE=go",
		"GIT_TDD_LLM_BASE_URL=http://127.0.0.1:8080/v1",
		"GIT_TDD_LLM_TIMEOUT=10s",
		"GIT_TDD_LLM_BUDGET_TOKENS=1_000",
		"GIT_TDD_LLM_PROVIDERS_DEEP_SEEK_V3_API_KEY_ENV=KEY",
		"GIT_TDD_LLM_PROVIDERS_MY_BOX_BASE_URL=http://box/v1",
		"GIT_TDD_ROLES_TESTER_MODEL=5",
		"GIT_TDD_ROLES_TESTER_TEMPERATURE=1",
		"GIT_TDD_ROLES_REFACTORER_TEMPERATURE=none",
		"GIT_TDD_ROLES_CODE_CRITIC_PLAYS=refactorer",
		"GIT_TDD_ROLES_CODE_CRITIC_PROMPT=docs/critic.md",
		"GIT_TDD_ROLES_REFACTORER_PROMPT=docs/clean.md",
		"GIT_TDD_ROLES_REFACTORER_AGENT=claude",
		"GIT_TDD_ROLES_REFACTORER_AGENT_TIMEOUT=3m",
		"GIT_TDD_GATES_MAX_NEW_RED=2",
		"GIT_TDD_GATES_SIZE_TESTER_FILES=9",
		"GIT_TDD_GATES_PROTECTED=[]",
		"GIT_TDD_ROTATION=tester implementor",
		"GIT_TDD_CI_TEST_CMD=go test ./...",
		`GIT_TDD_CI_CHECK_CMD=["go", "vet", "a b"]`,
		"GIT_TDD_CI_FMT_CMD=[]",
		"GIT_TDD_COMMIT_AUTHOR_NAME=A B",
	)
	if s.Steps != 4 || s.MaxAttempts != 5 || s.Language.Name != "go" || s.Commit.AuthorName != "A B" {
		t.Errorf("%+v", s)
	}
	if s.LLM.BaseURL != "http://127.0.0.1:8080/v1" || s.LLM.Timeout != 10*time.Second || s.LLM.Budget.Tokens != 1000 {
		t.Errorf("%+v", s.LLM)
	}
	if want := map[string]config.Provider{
		"deep-seek.v3": {BaseURL: "https://a.example/v1", APIKeyEnv: "KEY"}, "my-box": {BaseURL: "http://box/v1"},
	}; !reflect.DeepEqual(s.LLM.Providers, want) {
		t.Errorf("providers %+v, want %+v", s.LLM.Providers, want)
	}
	if r := s.Roles[gates.Tester]; r.Model != "5" || *r.Temperature != 1 {
		t.Errorf("tester %+v", r)
	}
	if s.Roles[gates.Refactorer].Temperature != nil || s.Plays("code-critic") != gates.Refactorer {
		t.Errorf("roles %+v", s.Roles)
	}
	if r := s.Roles[gates.Refactorer]; r.Prompt != "docs/clean.md" || r.Agent.Timeout != "3m" || s.Roles["code-critic"].Prompt != "docs/critic.md" {
		t.Errorf("sections of roles %+v", s.Roles)
	}
	if s.Gates.MaxNewRed != 2 || s.Gates.Size[gates.Tester] != (gates.Size{Files: 9, Lines: 120}) || len(s.Gates.Protected) != 0 {
		t.Errorf("gates %+v", s.Gates)
	}
	want := config.CI{
		TestCmd: []string{"go", "test", "./..."}, CheckCmd: []string{"go", "vet", "a b"}, FmtCmd: []string{}, Timeout: 5 * time.Minute,
	}
	if !reflect.DeepEqual(s.CI, want) || !reflect.DeepEqual(s.Rotation, []gates.Role{gates.Tester, gates.Implementor}) {
		t.Errorf("%+v %v", s.CI, s.Rotation)
	}
}

func TestRefusedEnvironment(t *testing.T) {
	t.Parallel()
	for variable, want := range map[string]string{
		"GIT_TDD_STPS=5":                         "GIT_TDD_STPS: unknown variable; write GIT_TDD_STEPS",
		"GIT_TDD_ROLES_TESTER_MODLL=x":           "write GIT_TDD_ROLES_TESTER_MODEL",
		"GIT_TDD_LANGUAGE=\xff":                  "GIT_TDD_LANGUAGE: bytes that are not UTF-8",
		"GIT_TDD_LLM=x":                          "GIT_TDD_LLM: unknown variable",
		"GIT_TDD_LLM_MODE=replay":                "unknown variable",
		"GIT_TDD_ROLES_=x":                       "unknown variable",
		"GIT_TDD_ROLES__MODEL=x":                 "unknown variable",
		"GIT_TDD_=x":                             "unknown variable",
		"GIT_TDD_SOMETHING_ELSE_ALTOGETHER=x":    "unset it",
		"GIT_TDD_STEPS=-1":                       "GIT_TDD_STEPS: the value -1; write a whole number from 1",
		"GIT_TDD_LLM_TIMEOUT=5":                  `GIT_TDD_LLM_TIMEOUT: the value 5; write a number and a unit`,
		"GIT_TDD_GATES_COVERAGE=full":            "write one of off, on",
		"GIT_TDD_CI_TEST_CMD=[go, test]":         "write a JSON array",
		"GIT_TDD_CI_TEST_CMD=[1]":                "write a JSON array",
		"GIT_TDD_CI_TEST_CMD=[]":                 "at least one",
		"GIT_TDD_ROTATION=tester critic":         "GIT_TDD_ROTATION: the role critic has no rules",
		"GIT_TDD_LLM_PROVIDERS_A_API_KEY_ENV=K":  "llm.providers.a.base_url: no address",
		"GIT_TDD_LLM_BASE_URL=http://u:p@host/x": "GIT_TDD_LLM_BASE_URL: a value that is not shown",
	} {
		t.Run(variable, func(t *testing.T) {
			t.Parallel()
			if got := problems(t, "", variable); len(got) != 1 || !strings.Contains(got[0], want) {
				t.Errorf("%q, want one with %q", got, want)
			}
		})
	}
}
