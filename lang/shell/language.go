package shell

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

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
		Rules: testrun.Rules(
			testrun.PathRules(gates.KindSupport, "**/test_helper*/**", "**/test_helper.*", "**/setup_suite.bash"),
			testrun.PathRules(gates.KindConfig, "**/.shellcheckrc", "**/.editorconfig", "**/package.json", "**/package-lock.json"),
			testrun.PathRules(gates.KindTest, "**/*.bats"),
			testrun.PathRules(gates.KindSupport, "**/test/**", "**/tests/**", "**/spec/**"),
			testrun.PathRules(gates.KindSource, "**/*.{sh,bash,zsh,ksh,dash,awk,sed}", "bin/**", "libexec/**", "lib/**", "src/**"),
		),
		Idiom: `a test is @test "name" { … } in a .bats file; run COMMAND, then [ "$status" -eq 0 ] and [ "$output" = "expected" ]; quote every expansion.`,
		Stub:  `echo "not implemented" >&2; return 1`,
		Awareness: testrun.Awareness{
			Asks:  lazyregexp.New(`\bBATS\w*|\bFUNCNAME\b|\bcaller\b\s*[0-9$)]|\$PPID\b|\bps\s+-|/dev/fd/3|>&3\b`),
			Helps: lazyregexp.New(`(?m)^\s*(?:bats_)?load\s+['"]?\S*bats-(?:assert|support|file)`),
		},
		Syntax: testrun.Syntax{Declared: page().Declared, Assertions: page().Assertions, Checks: checks, Mutants: mutants, Near: near, Code: code},
		Narrow: narrow,
		Choose: choose,
		Test:   readTest,
	}
}

// wordsPattern matches a command that needs no shell.
var wordsPattern = lazyregexp.New(`^[\w./ =-]+$`)

// choose takes the command that package.json has for the tests, if it is one of bats.
// Otherwise folders below the tests' own are left out where all that they hold is test
// data: it is run by tests, and may fail.
func choose(p testrun.Sources, usual testrun.Commands) testrun.Choice {
	var manifest struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal([]byte(p.Read("package.json")), &manifest) == nil && wordsPattern.MatchString(manifest.Scripts["test"]) {
		if words := strings.Fields(manifest.Scripts["test"]); len(words) > 0 && path.Base(words[0]) == "bats" {
			usual.Test = words
			return testrun.Choice{Commands: usual, Why: "the tests' command is that of package.json"}
		}
	}
	if dir := usual.Test[len(usual.Test)-1]; onlyDataBelow(p.Paths, dir) {
		usual.Test = []string{"bats", dir}
	}
	return testrun.Choice{Commands: usual}
}

// onlyDataBelow reports whether there are files of bats in folders below one, and all of
// them are test data.
func onlyDataBelow(paths []string, dir string) bool {
	below := slices.DeleteFunc(slices.Clone(paths), func(name string) bool {
		return path.Ext(name) != ".bats" || path.Dir(name) == dir || (dir != "." && !strings.HasPrefix(name, dir+"/"))
	})
	rules := Language()
	return len(below) > 0 && !slices.ContainsFunc(below, func(name string) bool { return rules.Kind(name) == gates.KindTest })
}
