package config_test

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
)

func parse(t *testing.T, file string, environ ...string) config.Settings {
	t.Helper()
	s, err := config.Parse([]byte(file), environ, lang.All())
	gittest.Check(t, err)
	return s
}

// problems returns what is wrong with a file and an environment, one line each.
func problems(t *testing.T, file string, environ ...string) []string {
	t.Helper()
	_, err := config.Parse([]byte(file), environ, lang.All())
	var e *config.Error
	if !errors.As(err, &e) {
		t.Fatalf("error is %v, want an *Error", err)
	}
	var out []string
	for _, p := range e.Problems {
		if p.Seen == "" || p.Remedy == "" {
			t.Errorf("%+v lacks a part", p)
		}
		out = append(out, p.String())
	}
	return out
}

func TestNothingGivenIsTheDefault(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"no bytes":     "",
		"comments":     "# nothing\n",
		"null":         "~\n",
		"marker":       "---\n",
		"empty group":  "llm:\ngates:\n  size:\nroles:\n  tester:\nci: {}\n",
		"empty values": "steps:\nrotation:\nllm:\n  base_url: ~\n",
		"byte order":   "\xef\xbb\xbf# nothing\r\nsteps: 20\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := parse(t, file); !reflect.DeepEqual(got, config.Default()) {
				t.Errorf("got %+v\nwant %+v", got, config.Default())
			}
		})
	}
	if got, err := config.Parse(nil, nil, lang.All()); err != nil || !reflect.DeepEqual(got, config.Default()) {
		t.Errorf("no file: %v, %+v", err, got)
	}
}

func TestDesignExample(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("testdata/design.yaml")
	gittest.Check(t, err)
	got := parse(t, string(file))
	want := config.Default()
	want.Language.Name = "rust"
	want.Roles = map[gates.Role]config.Role{
		gates.Tester:      {Model: "openai:gpt-4.1-mini", Temperature: new(0.4)},
		gates.Implementor: {Model: "deepseek:coder-v2", Temperature: new(0.2)},
		gates.Refactorer:  {Model: "glm:glm-4-air", Temperature: new(0.3)},
	}
	want.LLM.Providers = map[string]config.Provider{
		"deepseek": {BaseURL: "https://api.deepseek.com/v1", APIKeyEnv: "DEEPSEEK_API_KEY"},
	}
	want.CI = config.CI{
		TestCmd:  []string{"cargo", "test", "--all"},
		CheckCmd: []string{"cargo", "clippy", "--all-targets", "--", "-D", "warnings"},
		FmtCmd:   []string{"cargo", "fmt"},
		Timeout:  5 * time.Minute,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestLayers(t *testing.T) {
	t.Parallel()
	s := parse(t, `
gates: {size: {tester: {files: 5}}, protected: [], red_reasons: [assertion]}
roles:
  implementor: {model: x}
  tester: {temperature: none}
  critic: {plays: refactorer, model: human}
rotation: [tester, implementor, critic]
llm: {providers: {glm.x: {base_url: "https://a.example/v1"}}, budget: {time: 0s}}
ci: {check_cmd: [], timeout: 90s}
`)
	wantSize := map[gates.Role]gates.Size{
		gates.Tester: {Files: 5, Lines: 120}, gates.Implementor: {Files: 8, Lines: 300}, gates.Refactorer: {Files: 12, Lines: 600},
	}
	if !reflect.DeepEqual(s.Gates.Size, wantSize) {
		t.Errorf("size %v, want %v", s.Gates.Size, wantSize)
	}
	if s.Gates.Protected == nil || len(s.Gates.Protected) != 0 || !reflect.DeepEqual(s.Gates.RedReasons, []gates.Class{"assertion"}) {
		t.Errorf("a list must replace the default whole: %+v", s.Gates)
	}
	if r := s.Roles[gates.Implementor]; r.Model != "x" || r.Temperature == nil || *r.Temperature != 0.2 {
		t.Errorf("implementor %+v: keeps its default temperature", r)
	}
	if r := s.Roles[gates.Tester]; r.Temperature != nil {
		t.Errorf("tester %v: none is none", *r.Temperature)
	}
	if r := s.Roles["critic"]; !r.ByHuman() || r.Plays != gates.Refactorer {
		t.Errorf("critic %+v", r)
	}
	if s.CI.TestCmd != nil || s.CI.CheckCmd == nil || s.CI.Timeout != 90*time.Second || s.LLM.Budget.Time != 0 || s.LLM.Budget.Tokens != 2_000_000 {
		t.Errorf("%+v %+v", s.CI, s.LLM.Budget)
	}
	if s.LLM.Providers["glm.x"].BaseURL != "https://a.example/v1" {
		t.Errorf("providers %+v", s.LLM.Providers)
	}
}

func TestAllProblemsAtOnce(t *testing.T) {
	t.Parallel()
	_, err := config.Parse([]byte("stps: 5\nllm:\n  bse_url: x\n  timeout: 5\nrotation: []\n"), []string{"GIT_TDD_STEPS=many"}, lang.All())
	want := `.tdd.yaml: 5 problems
  line 1: stps: unknown key; write steps
  line 3: llm.bse_url: unknown key; write base_url
  line 4: llm.timeout: the value 5; write a number and a unit, such as 90s, 5m or 1h30m
  line 5: rotation: a list of 0 items; name at least one role; leave the key out for tester, implementor, refactorer
  GIT_TDD_STEPS: the text "many"; write a whole number, without quotes`
	if err == nil || err.Error() != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
}

func TestLongErrorsAreCut(t *testing.T) {
	t.Parallel()
	_, err := config.Parse([]byte(strings.Repeat("x", 300)+": 1\n"+unknownKeys(50)), nil, lang.All())
	if err == nil || !strings.Contains(err.Error(), "51 problems") || !strings.Contains(err.Error(), "and 31 more") || len(err.Error()) > 8000 {
		t.Errorf("%v", err)
	}
}

func unknownKeys(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("zz" + strings.Repeat("q", i) + ": 1\n")
	}
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	file, err := os.ReadFile("testdata/design.yaml")
	gittest.Check(b, err)
	for b.Loop() {
		if _, err := config.Parse(file, []string{"HOME=/", "GIT_TDD_STEPS=3"}, lang.All()); err != nil {
			b.Fatal(err)
		}
	}
}
