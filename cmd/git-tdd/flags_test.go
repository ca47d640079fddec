package main

import (
	"slices"
	"strings"
	"testing"
)

func TestFlagsFirst(t *testing.T) {
	t.Parallel()
	p := newProgram("", nil, nil, nil)
	for line, want := range map[string]string{
		"status --json":                          "status --json",
		"verify --json HEAD":                     "verify --json HEAD",
		"verify HEAD~3.. --json":                 "verify --json HEAD~3..",
		"verify HEAD~3.. --shard 1/2 --fresh":    "verify --shard 1/2 --fresh HEAD~3..",
		"verify a..b --shard=1/2 --format sarif": "verify --shard=1/2 --format sarif a..b",
		"verify --merge a.json - --json":         "verify --merge --json a.json -",
		"verify HEAD -- --json":                  "verify -- HEAD --json",
		"verify -- --json":                       "verify -- --json",
		"verify HEAD -j1":                        "verify -j 1 HEAD",
		"report -opage.html a..b -o=x":           "report -o page.html -o=x a..b",
		"verify -- -x":                           "verify -- -x",
		"verify HEAD --shard":                    "verify --shard",
		"verify HEAD --unknown x":                "verify --unknown HEAD x",
		"hooks install --shims":                  "hooks install --shims",
		"init DIR --language go --kata bowling":  "init --language go --kata bowling DIR",
		"log HEAD --oneline -3":                  "log HEAD --oneline -3", // git's own
		"rnu x --json":                           "rnu x --json",
		"--version":                              "--version",
		"--color always verify HEAD --json":      "--color always verify --json HEAD",
		"--color=always verify HEAD --json":      "--color=always verify --json HEAD",
		"--color":                                "--color",
	} {
		args := append([]string{"git-tdd"}, strings.Fields(line)...)
		if got := flagsFirst(p.app(), args); !slices.Equal(got[1:], strings.Fields(want)) {
			t.Errorf("%s: %q, want %q", line, got[1:], want)
		}
	}
}
