package config_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

const team = `
rotation: [tester, coder, implementor, critic]
roles:
  tester: {model: "deepseek:coder:v2", temperature: 0}
  implementor: {model: "qwen2.5-coder:7b"}
  refactorer: {model: "openai:gpt"}
  coder: {plays: implementor, temperature: 1}
  critic: {plays: refactorer, model: human}
llm:
  base_url: http://127.0.0.1:1/v1
  api_key_env: LOCAL_KEY
  providers:
    deepseek: {base_url: "https://d.example/v1", api_key_env: D_KEY}
    free: {base_url: "http://127.0.0.1:1/v1"}
    plain: {base_url: "http://far.example/v1", api_key_env: D_KEY}
ci: {test_cmd: ["cargo test"]}
`

func TestModel(t *testing.T) {
	t.Parallel()
	s := parse(t, team)
	for role, want := range map[gates.Role][5]string{
		gates.Tester:      {"deepseek", "https://d.example/v1", "D_KEY", "coder:v2", "deepseek:coder:v2"},
		gates.Implementor: {"", "http://127.0.0.1:1/v1", "LOCAL_KEY", "qwen2.5-coder:7b", "qwen2.5-coder:7b"},
		gates.Refactorer:  {"", "http://127.0.0.1:1/v1", "LOCAL_KEY", "openai:gpt", "openai:gpt"},
		"coder":           {"", "http://127.0.0.1:1/v1", "LOCAL_KEY", "qwen2.5-coder:7b", "qwen2.5-coder:7b"},
	} {
		m, err := s.Model(role)
		if got := [5]string{m.Endpoint.Name, m.Endpoint.BaseURL, m.KeyEnv, m.Name, m.Spec}; err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", role, got, err, want)
		}
		if m.Temperature == nil || m.Endpoint.APIKey != "" {
			t.Errorf("%s: %+v", role, m)
		}
	}
	if m, _ := s.Model("coder"); *m.Temperature != 1 {
		t.Errorf("coder: temperature %v, want its own", *m.Temperature)
	}
	for _, role := range []gates.Role{"critic", "nobody", ""} {
		if _, err := s.Model(role); !errors.Is(err, config.ErrNoModel) {
			t.Errorf("%s: %v, want ErrNoModel", role, err)
		}
	}
}

func TestNext(t *testing.T) {
	t.Parallel()
	usual, own := config.Default(), parse(t, team)
	for _, c := range []struct {
		s           config.Settings
		after, want gates.Role
	}{
		{usual, "", gates.Tester},
		{usual, gates.Tester, gates.Implementor},
		{usual, gates.Implementor, gates.Refactorer},
		{usual, gates.Refactorer, gates.Tester},
		{usual, "nobody", gates.Tester},
		{own, gates.Tester, "coder"},
		{own, "coder", gates.Implementor},
		{own, gates.Implementor, "critic"},
		{own, "critic", gates.Tester},
		{own, gates.Refactorer, gates.Tester},
		{own, "nobody", gates.Tester},
	} {
		if got := c.s.Next(c.after); got != c.want {
			t.Errorf("after %q comes %s, want %s", c.after, got, c.want)
		}
	}
}

func TestWhatTrustCovers(t *testing.T) {
	t.Parallel()
	s := parse(t, team)
	for _, c := range []struct{ got, want []string }{
		{s.Endpoints(), []string{"http://127.0.0.1:1/v1", "http://far.example/v1", "https://d.example/v1"}},
		{s.KeyEnvs(), []string{"D_KEY", "LOCAL_KEY"}},
		{s.Grants(), []string{
			"D_KEY http://far.example/v1", "D_KEY https://d.example/v1", "LOCAL_KEY http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1",
		}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestNamesModels(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"language: go\n": false,
		"language: go\nroles: {tester: {model: small}}\n":           true,
		"language: go\nroles: {tester: {temperature: 1}}\n":         false,
		"language: go\nllm: {base_url: \"https://a.example/v1\"}\n": true,
		"language: go\nllm: {api_key_env: OTHER_KEY}\n":             true,
		team: true,
	} {
		if got := parse(t, text).NamesModels(); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestInTheClear(t *testing.T) {
	t.Parallel()
	got, want := parse(t, team).InTheClear(), "D_KEY travels unencrypted to http://far.example/v1"
	if len(got) != 1 || !strings.Contains(got[0], want) {
		t.Errorf("%q, want one with %q", got, want)
	}
	if w := config.Default().InTheClear(); w != nil {
		t.Errorf("the defaults warn: %q", w)
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, path, want string }{
		{"named", "language: go", "Cargo.toml", "go"},
		{"found", "", "Cargo.toml", "rust"},
		{"own command", "ci: {test_cmd: [make, test]}", "Makefile", "generic"},
	} {
		l, err := parse(t, c.file).Resolve(lang.All(), []string{"README.md", c.path})
		if err != nil || l.Name != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, l.Name, err, c.want)
		}
	}
	for _, file := range []string{"", "language: generic"} {
		if _, err := parse(t, file).Resolve(lang.All(), []string{"Makefile"}); !errors.Is(err, config.ErrNoLanguage) {
			t.Errorf("%q: %v, want ErrNoLanguage", file, err)
		}
	}
}

func TestCommands(t *testing.T) {
	t.Parallel()
	s := parse(t, "language: rust\nci: {test_cmd: [make, test], check_cmd: [], timeout: 1m, report: out/*.tap}")
	l, err := s.Resolve(lang.All(), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := s.Commands(l)
	if !slices.Equal(c.Test, []string{"make", "test"}) || len(c.Check) != 0 || !reflect.DeepEqual(c.Fmt, l.Defaults.Fmt) || c.Timeout != s.CI.Timeout ||
		c.Report != (testrun.Report{Format: testrun.ReportTAP, Path: "out/*.tap"}) {
		t.Errorf("%+v", c)
	}
}

func TestNeedsPaths(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"":                 true,
		"language: rust\n": false,
		"language: java\n": true, // Maven or Gradle?
		"language: java\nci: {test_cmd: [mvn, test]}\n": false,
	} {
		s, err := config.Parse([]byte(text), nil, lang.All())
		if err != nil || s.NeedsPaths(lang.All()) != want {
			t.Errorf("%q: %v, %v", text, s.NeedsPaths(lang.All()), err)
		}
	}
}
