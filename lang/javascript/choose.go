package javascript

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// maxCommands bounds how many commands a script may run before it is left as it is.
const maxCommands = 100

// choose takes the test runner out of a script that runs linters and compilers
// beside it: they would hide the tests, and are the check.
func choose(p testrun.Sources, usual testrun.Commands) testrun.Choice {
	var m manifest
	out := testrun.Choice{Commands: usual}
	if json.Unmarshal([]byte(p.Read("package.json")), &m) != nil {
		return out
	}
	if len(usual.Check) > 0 && !m.depends("typescript") {
		out.Commands.Check = nil
		out.Why = "package.json does not ask for typescript, so nothing checks the types"
	}
	if m.untested() {
		out.Commands.Test = m.runner(usual.Test)
		if !slices.Equal(out.Commands.Test, usual.Test) {
			out.Why = "package.json has no script for tests"
		}
		return out
	}
	commands, at := m.tested()
	if at < 0 || len(commands) == 1 {
		return out
	}
	out.Commands.Test = bare(commands[at])
	rest := gates.Each(slices.Concat(commands[:at], commands[at+1:]), shellQuoted)
	out.Commands.Check = []string{"npx", "--no-install", "-c", strings.Join(rest, " && ")}
	out.Why = fmt.Sprintf("`npm test` runs more than the tests: %s is the test command, the rest is the check", runs(commands[at]))
	return out
}

// untested reports whether nobody wrote a script for tests: npm's own complains.
func (m manifest) untested() bool {
	return m.Scripts["test"] == "" || strings.Contains(m.Scripts["test"], "no test specified")
}

// depends reports whether a package.json names a package.
func (m manifest) depends(name string) bool { return m.Dev[name] != "" || m.Needs[name] != "" }

// runner is the test command of a project without a script for it.
func (m manifest) runner(usual []string) []string {
	for _, r := range [][]string{{"vitest", "run"}, {"jest"}, {"mocha"}, {"ava"}} {
		if m.depends(r[0]) {
			return append([]string{"npx", "--no-install"}, r...)
		}
	}
	if m.Scripts["test"] == "" {
		return []string{"node", "--test"}
	}
	return usual
}

// simplePattern matches a script that only runs commands one after the other: no pipe, no
// variable, no substitution.
var simplePattern = lazyregexp.New("^(?:[^|;<>$`()&]|&&)*$")

// tested lists the commands of the test script, those of the scripts that it calls in their
// place, and which of them runs the tests; -1 where it does more than run commands one after
// the other.
func (m manifest) tested() (commands [][]string, at int) {
	commands = [][]string{{"npm", "test"}}
	for k, n := 0, 0; k < len(commands); n++ {
		called := m.calls(commands[k])
		inner, ok := m.commands(called)
		switch {
		case called == nil:
			k++
		case !ok || n > maxCommands:
			return nil, -1
		default:
			commands = slices.Replace(commands, k, k+1, inner...)
		}
	}
	return commands, slices.IndexFunc(commands, func(c []string) bool { return runs(c) != "" })
}

// commands lists the commands of some scripts; ok is false where one does more than run them.
func (m manifest) commands(scripts []string) (out [][]string, ok bool) {
	for _, script := range scripts {
		for _, name := range []string{"pre" + script, script, "post" + script} {
			if !simplePattern.MatchString(m.Scripts[name]) {
				return nil, false
			}
			for part := range strings.SplitSeq(m.Scripts[name], "&&") {
				if words := split(part); len(words) > 0 {
					out = append(out, words)
				}
			}
		}
	}
	return out, true
}

// calls lists the scripts that a command runs; none where it is no call of a
// script, or gives one arguments.
func (m manifest) calls(words []string) []string {
	var names []string
	switch path.Base(words[0]) {
	case "run-s", "npm-run-all", "npm-run-all2":
		names = slices.DeleteFunc(slices.Clone(words[1:]), func(w string) bool { return strings.HasPrefix(w, "-") })
	case "npm", "pnpm", "yarn", "bun":
		if names = words[1:]; len(names) > 0 && (names[0] == "run" || names[0] == "run-script") {
			names = names[1:]
		}
		if len(names) != 1 {
			return nil
		}
	}
	if slices.ContainsFunc(names, func(n string) bool { return m.Scripts[n] == "" }) {
		return nil
	}
	return names
}

var assignPattern = lazyregexp.New(`^\w+=`)

// bare is a command without what stands around its runner: coverage, and the
// package manager, in whose place npx finds what is installed.
func bare(words []string) []string {
	at := slices.IndexFunc(words, isRunner)
	out := []string{"npx", "--no-install"}
	if words[at] == "node" {
		out = nil
	}
	set := slices.DeleteFunc(slices.Clone(words[:at]), func(w string) bool { return !assignPattern.MatchString(w) })
	if len(set) > 0 {
		out = slices.Concat([]string{"env"}, set, out)
	}
	return append(out, slices.DeleteFunc(slices.Clone(words[at:]), func(w string) bool { return w == "--coverage" || output.HasAnyPrefix(w, "--coverage=", "--coverage.") })...)
}

// runs is the runner that a command starts; empty if none is read test by test.
func runs(words []string) string {
	if _, named := runnerOf(words, nil); named {
		return words[slices.IndexFunc(words, isRunner)]
	}
	return ""
}

func isRunner(word string) bool {
	return slices.Contains([]string{"vitest", "jest", "mocha", "ava", "node", "borp"}, output.Program(word))
}

// split divides a command into words, as a shell does with quotes.
func split(text string) []string {
	return gates.Each(wordPattern().FindAllString(text, -1), strings.NewReplacer(`\"`, `"`, `"`, "", `'`, "").Replace)
}

var wordPattern = lazyregexp.New(`(?:[^\s"']|"[^"]*"|'[^']*')+`)

// shellQuoted is a command as a shell reads it.
func shellQuoted(words []string) string {
	words = slices.Clone(words)
	for i, w := range words {
		if strings.ContainsAny(w, " *?[]{}~#!\\\"") {
			words[i] = "'" + w + "'"
		}
	}
	return strings.Join(words, " ")
}

// covers reports whether the test script of a package runs the tests of the one in a
// folder inside, in one run of one runner: Vitest, Jest and node look into all
// folders unless they are told which. A script that starts a run in each package
// does not: two packages may have tests of the same name.
func covers(p testrun.Sources, dir string) bool {
	outer, inner := manifestOf(p, ""), manifestOf(p, dir)
	if inner.untested() {
		return true // nobody says that it is tested by itself
	}
	commands, at := outer.tested()
	if at < 0 {
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
	return parseManifest(p.Read(testrun.Folder{Dir: dir}.Path("package.json")))
}
