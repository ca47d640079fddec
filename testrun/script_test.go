package testrun_test

import (
	"testing"

	"github.com/git-tdd/git-tdd/testrun"
)

func TestLanguage_Script(t *testing.T) {
	t.Parallel()
	shell := testrun.Language{Tools: [][]string{{"bats", "--version"}, {"bash", "--version"}}}
	python := testrun.Language{Tools: [][]string{{"python3", "--version"}}}
	for _, tc := range []struct {
		lang       testrun.Language
		name, text string
		want       bool
	}{
		{shell, "greet", "#!/usr/bin/env bash\necho\n", true},
		{shell, "a/greet", "#! /bin/sh -e\n", true},
		{shell, "greet", "#!/usr/bin/env -S python3 -u\n", false},
		{shell, "greet", "echo bash\n", false},
		{shell, "notes.md", "#!/bin/sh\n", false},
		{python, "tool", "#!/usr/bin/python3.12", true},
		{python, "tool", "#!/bin/bash\n", false},
		{python, "tool", "", false},
	} {
		if got := tc.lang.Script(tc.name, []byte(tc.text)); got != tc.want {
			t.Errorf("%s %q: %t, want %t", tc.name, tc.text, got, tc.want)
		}
	}
}
