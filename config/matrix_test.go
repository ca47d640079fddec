package config_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestMatrix(t *testing.T) {
	t.Parallel()
	got, err := config.ParseMatrix("m.yaml", []byte(`
runs: 3
settings: common.yaml
katas:
  bowling: bowling
  calculator: {kata: ./calc.md, language: go, hidden: hidden}
models:
  gpt-4.1: openai:gpt-4.1
  recorded: {replay: bundled}
`))
	gittest.Check(t, err)
	want := config.Matrix{
		Runs: 3, Seed: 1, Steps: 60, Settings: "common.yaml",
		Katas: map[string]config.MatrixKata{
			"bowling":    {Kata: "bowling"},
			"calculator": {Kata: "./calc.md", Language: "go", Hidden: "hidden"},
		},
		Models: map[string]config.MatrixModel{
			"gpt-4.1": {Model: "openai:gpt-4.1"}, "recorded": {Replay: config.BundledReplay},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestMatrixRefuses(t *testing.T) {
	t.Parallel()
	const katas, models = "katas: {a: bowling}\n", "models: {m: small}\n"
	for name, tc := range map[string]struct{ file, want string }{
		"unknown key":          {"run: 3\n" + katas + models, "line 1: run: unknown key; write runs"},
		"unknown key of kata":  {"katas: {a: {kata: b, hiden: c}}\n" + models, "katas.a.hiden: unknown key; write hidden"},
		"unknown key of model": {katas + "models: {m: {mod: b}}\n", "models.m.mod: unknown key; write model"},
		"no kata":              {models, "katas: no kata"},
		"no model":             {katas, "models: no model"},
		"empty kata":           {"katas: {a: , b: bowling}\n" + models, "katas.a: nothing"},
		"empty model":          {katas + "models: {m: {}}\n", "models.m: nobody to ask"},
		"kata without text":    {"katas: {a: {language: go}}\n" + models, "katas.a.kata: no text"},
		"two answers":          {katas + "models: {m: {model: a, replay: b}}\n", "models.m.replay: a model beside it"},
		"a name that climbs":   {"katas: {..: bowling}\n" + models, "this name"},
		"a name with a slash":  {katas + "models: {a/b: small}\n", "this name"},
		"a name in capitals":   {katas + "models: {GPT: small}\n", "this name"},
		"twice":                {katas + "models: {m: a, m: b}\n", "given on line 2 already"},
		"runs":                 {"runs: 0\n" + katas + models, "runs: the value 0"},
		"no file":              {"", "no kata"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := config.ParseMatrix("m.yaml", []byte(tc.file))
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), "m.yaml: ") {
				t.Errorf("the error is %v, want %q", err, tc.want)
			}
		})
	}
}
