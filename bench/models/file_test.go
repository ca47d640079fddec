package models_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/bench/models"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestMatrix(t *testing.T) {
	t.Parallel()
	got, err := models.ParseMatrix("m.yaml", []byte(`
runs: 3
settings: common.yaml
katas:
  bowling: bowling
  calculator: {kata: ./calc.md, language: go, hidden: hidden}
models:
  gpt-4.1: openai:gpt-4.1
  recorded: {replay: tape.json}
`))
	gittest.Check(t, err)
	want := models.Matrix{
		Runs: 3, Seed: 1, Steps: 60, Settings: "common.yaml",
		Katas: map[string]models.Kata{
			"bowling":    {Kata: "bowling"},
			"calculator": {Kata: "./calc.md", Language: "go", Hidden: "hidden"},
		},
		Models: map[string]models.Model{
			"gpt-4.1": {Model: "openai:gpt-4.1"}, "recorded": {Replay: "tape.json"},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestMatrixRefuses(t *testing.T) {
	t.Parallel()
	const katas, entry = "katas: {a: bowling}\n", "models: {m: small}\n"
	for name, tc := range map[string]struct{ file, want string }{
		"unknown key":          {"run: 3\n" + katas + entry, "line 1: field run not found"},
		"unknown key of kata":  {"katas: {a: {kata: b, hiden: c}}\n" + entry, "field hiden not found"},
		"unknown key of model": {katas + "models: {m: {mod: b}}\n", "field mod not found"},
		"no kata":              {entry, "no kata"},
		"no model":             {katas, "no model"},
		"empty kata":           {"katas: {a: , b: bowling}\n" + entry, "katas.a: write kata:"},
		"empty model":          {katas + "models: {m: {}}\n", "models.m: nobody to ask"},
		"kata without text":    {"katas: {a: {language: go}}\n" + entry, "katas.a: write kata:"},
		"two answers":          {katas + "models: {m: {model: a, replay: b}}\n", "models.m: a recording answers"},
		"a name that climbs":   {"katas: {..: bowling}\n" + entry, "the name"},
		"a name with a slash":  {katas + "models: {a/b: small}\n", "the name"},
		"a name in capitals":   {katas + "models: {GPT: small}\n", "the name"},
		"twice":                {katas + "models: {m: a, m: b}\n", "already defined"},
		"runs":                 {"runs: 0\n" + katas + entry, "runs, seed and steps"},
		"no file":              {"", "no kata"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := models.ParseMatrix("m.yaml", []byte(tc.file))
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), "m.yaml: ") {
				t.Errorf("the error is %v, want %q", err, tc.want)
			}
		})
	}
}
