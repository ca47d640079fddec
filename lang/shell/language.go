package shell

import (
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

// Language is shell with bats.
func Language() testrun.Language {
	return testrun.Language{
		Name:    "shell",
		Markers: []string{"*.bats"}, TestMarkers: []string{"*.bats"},
		Defaults: testrun.Commands{Test: []string{"bats", "-r", "."}},
		Variants: []testrun.Variant{
			{Has: []string{"test/**/*.bats"}, Test: []string{"bats", "-r", "test"}},
			{Has: []string{"tests/**/*.bats"}, Test: []string{"bats", "-r", "tests"}},
		},
		Tools: [][]string{{"bats", "--version"}, {"bash", "--version"}},
		Link:  []string{"node_modules"},
		Installs: []testrun.Install{
			{Has: []string{"package-lock.json"}, Run: `npm ci`},
			{Has: []string{"package.json"}, Run: `npm install`},
			{Has: []string{".gitmodules"}, Run: `git submodule update --init`},
		},
		Rules: slices.Concat(
			testrun.SharedConfig(),
			testrun.SharedSupport(),
			testrun.PathRules(gates.KindSupport, "**/test_helper*/**", "**/test_helper.*", "**/setup_suite.bash"),
			testrun.PathRules(gates.KindConfig, "**/.shellcheckrc", "**/.editorconfig", "**/package.json", "**/package-lock.json"),
			testrun.PathRules(gates.KindTest, "**/*.bats"),
			testrun.PathRules(gates.KindSupport, "**/test/**", "**/tests/**", "**/spec/**"),
			testrun.PathRules(gates.KindSource, "**/*.{sh,bash,zsh,ksh,dash,awk,sed}", "bin/**", "libexec/**", "lib/**", "src/**"),
			testrun.SharedOther(),
		),
		Idiom:     `a test is @test "name" { … } in a .bats file; run COMMAND, then [ "$status" -eq 0 ] and [ "$output" = "expected" ]; quote every expansion.`,
		Stub:      `echo "not implemented" >&2; return 1`,
		Awareness: awareness(),
		Syntax:    testrun.Syntax{Declared: declared, Assertions: assertions, Checks: checks, Mutants: mutants, Near: near, Code: code},
		Narrow:    narrow,
		Choose:    choose,
		Ends:      lazyregexp.New(`^(?:not )?ok \d`).MatchString,
		Test:      readTest,
	}
}
