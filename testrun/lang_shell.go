package testrun

import (
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// shellLanguage is shell with bats.
func shellLanguage() Language {
	return Language{
		Name:     "shell",
		Markers:  []string{"*.bats"},
		Defaults: Commands{Test: []string{"bats", "-r", "."}},
		Variants: []Variant{
			{Has: []string{"test/**/*.bats"}, Test: []string{"bats", "-r", "test"}},
			{Has: []string{"tests/**/*.bats"}, Test: []string{"bats", "-r", "tests"}},
		},
		Tools: [][]string{{"bats", "--version"}, {"bash", "--version"}},
		Link:  []string{"node_modules"},
		Rules: slices.Concat(
			sharedSupport(),
			rules(gates.KindSupport, "**/test_helper*/**", "**/test_helper.*", "**/node_modules/**", "**/setup_suite.bash"),
			rules(gates.KindConfig, "**/Makefile", "**/.shellcheckrc", "**/.editorconfig", "**/package.json", "**/package-lock.json"),
			rules(gates.KindTest, "**/*.bats"),
			rules(gates.KindSupport, "**/test/**", "**/tests/**", "**/spec/**"),
			rules(gates.KindSource, "**/*.{sh,bash,zsh,ksh,dash,awk,sed}", "bin/**", "libexec/**", "lib/**", "src/**"),
			sharedOther(),
		),
		syntax: syntax{declared: batsDeclared, assertions: batsAssertions},
		test:   readBatsTest,
	}
}
