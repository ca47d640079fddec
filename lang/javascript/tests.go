package javascript

import (
	"context"
	"embed"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
)

// The reporters keep the journal.
//
//go:embed reporters
var reporters embed.FS

// scriptRunner is a test runner of JavaScript.
type scriptRunner string

const (
	nodeRunner   scriptRunner = "node" // or a command that may start it
	vitestRunner scriptRunner = "vitest"
	jestRunner   scriptRunner = "jest"
)

// readScriptTest runs node's test runner, Vitest, Jest, or any command that
// runs the first, and reads the journal of our reporter. Where there is none
// the exit code decides.
func readScriptTest(ctx context.Context, b *testrun.Session, argv []string) (testrun.Verdict, error) {
	dir, journals, err := journal.Install(b, reporters)
	if err != nil {
		return testrun.Verdict{}, err
	}
	manifest := readManifest(b.Request.Dir)
	runner, named := runnerOf(argv, manifest.script())
	argv = args(argv, runner, dir)
	j := testrun.Job{Name: "test", Argv: argv, Env: []string{journal.Variable + "=" + journals}}
	if runner == nodeRunner {
		j.Env = append(j.Env, nodeEnv(testrun.LookupEnv(b.Env, "NODE_OPTIONS"), dir)...)
	}
	end, err := b.Run(ctx, j)
	if err != nil {
		return testrun.Verdict{}, err
	}
	written, heard, err := journal.Read(journals)
	switch {
	case err != nil:
		return testrun.Verdict{}, err
	case !heard && runner == jestRunner && strings.Contains(end.Output, "No tests found, exiting with code"):
		end.Exit = 0
		r := testrun.Verdict{Detail: gates.DetailTest}
		r.Outcome, r.Diagnostics = testrun.Conclude(nil, nil, end)
		return r, nil
	case !heard && named:
		return journal.NoReport(end, "could not determine executable to run", "canceled due to missing packages"), nil
	case !heard:
		return journal.ByExitCode(end, "\nℹ tests ", "\n# tests "), nil
	}
	p := b.Places()
	return journal.Run{Journal: written, End: end, Places: p, Explain: raised{p, manifest.Name}.explain, NoTestsExit: 1}.Verdict(), nil
}

// npmManifest is what a package.json says of a project.
type npmManifest struct {
	Name    string            `json:"name"`
	Scripts map[string]string `json:"scripts"`
}

// readManifest reads a project's package.json; nothing where it cannot.
func readManifest(dir string) npmManifest {
	var m npmManifest
	raw, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil || json.Unmarshal(raw, &m) != nil {
		return npmManifest{}
	}
	return m
}

// script is what npm test would run: of several commands the last, which gets
// the arguments that npm adds.
func (m npmManifest) script() []string {
	parts := regexp.MustCompile(`&&|\|\||[;|&]`).Split(m.Scripts["test"], -1)
	return strings.Fields(parts[len(parts)-1])
}

// runnerOf finds the runner that a command starts, as far as the command or the
// script that npm runs for it tells; named is true where one of them does.
func runnerOf(argv, script []string) (runner scriptRunner, named bool) {
	words := argv
	if npmTest(argv) {
		words = script
	}
	for i, word := range words {
		switch strings.TrimSuffix(filepath.Base(word), ".cmd") {
		case "vitest":
			return vitestRunner, true
		case "jest":
			return jestRunner, true
		case "node":
			if slices.Contains(words[i:], "--test") {
				return nodeRunner, true
			}
		}
	}
	return nodeRunner, false
}

// npmTest reports whether a command makes npm, or one of its kind, run the
// project's test script.
func npmTest(argv []string) bool {
	if !slices.Contains([]string{"npm", "pnpm", "yarn"}, strings.TrimSuffix(filepath.Base(argv[0]), ".cmd")) {
		return false
	}
	rest := slices.DeleteFunc(slices.Clone(argv[1:]), func(arg string) bool { return strings.HasPrefix(arg, "-") || arg == "run" })
	return len(rest) > 0 && (rest[0] == "test" || rest[0] == "t")
}

// args adds our reporter to the arguments of a runner that takes none
// from the environment.
func args(argv []string, runner scriptRunner, dir string) []string {
	var more []string
	switch runner {
	case vitestRunner:
		more = []string{"--reporter=default", "--reporter=" + filepath.Join(dir, "git_tdd_vitest.mjs")}
	case jestRunner:
		more = []string{"--reporters=default", "--reporters=" + filepath.Join(dir, "git_tdd_jest.cjs")}
	case nodeRunner:
		return argv
	}
	return withScriptArgs(argv, more)
}

// withScriptArgs adds arguments for the runner itself.
func withScriptArgs(argv, more []string) []string {
	out := slices.Clone(argv)
	if npmTest(argv) && !strings.HasPrefix(filepath.Base(argv[0]), "yarn") && !slices.Contains(argv, "--") {
		out = append(out, "--")
	}
	return append(out, more...)
}

// nodeEnv makes every node that is started load our reporter, beside the usual
// one, and the guard that sees a test file end.
func nodeEnv(declared, dir string) []string {
	quoted := func(flag, name string) string {
		path := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(filepath.Join(dir, name))
		return flag + `="` + path + `"`
	}
	options := []string{
		declared, quoted("--require", "git_tdd_guard.cjs"),
		quoted("--test-reporter", "git_tdd_node.mjs"), "--test-reporter-destination=stdout",
		"--test-reporter=spec", "--test-reporter-destination=stdout",
	}
	return []string{"NODE_OPTIONS=" + strings.TrimSpace(strings.Join(options, " ")), "TDD_NODE_OPTIONS=" + declared}
}
