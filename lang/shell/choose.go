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
