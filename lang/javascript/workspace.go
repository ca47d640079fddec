package javascript

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
)

// covers reports whether the test script of a package runs the tests of the one in a
// folder inside, in one run of one runner: Vitest, Jest and node look into all
// folders unless they are told which. A script that starts a run in each package
// does not: two packages may have tests of the same name.
func covers(p testrun.Sources, dir string) bool {
	outer, inner := manifestOf(p, ""), manifestOf(p, dir)
	if inner.Scripts["test"] == "" || strings.Contains(inner.Scripts["test"], "no test specified") {
		return true // nobody says that it is tested by itself
	}
	commands, ok := outer.expand("test", maxScripts)
	at := slices.IndexFunc(commands, func(c []string) bool { return runs(c) != "" })
	if !ok || at < 0 {
		return false
	}
	words := commands[at]
	rest := words[slices.IndexFunc(words, isRunner)+1:]
	searches := slices.Contains([]string{"vitest", "jest", "node"}, runs(words))
	return searches && !slices.ContainsFunc(rest, func(w string) bool { return !strings.HasPrefix(w, "-") && w != "run" })
}

// needs lists the projects whose packages the one in a folder depends on.
func needs(p testrun.Sources, dir string, others []string) []string {
	own := manifestOf(p, dir)
	return slices.DeleteFunc(slices.Clone(others), func(other string) bool {
		name := manifestOf(p, other).Name
		return name == "" || !own.depends(name)
	})
}

// manifestOf reads the package.json of a folder; nothing where there is none.
func manifestOf(p testrun.Sources, dir string) manifest {
	var m manifest
	if json.Unmarshal([]byte(p.Read(testrun.Folder{Dir: dir}.Path("package.json"))), &m) != nil {
		return manifest{}
	}
	return m
}
