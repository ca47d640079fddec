package javascript

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// runner is a test runner that we have a reporter for.
type runner string

const (
	nodeRunner   runner = "node" // or a command that may start it
	vitestRunner runner = "vitest"
	jestRunner   runner = "jest"
	mochaRunner  runner = "mocha"
	avaRunner    runner = "ava"
)

// readTest runs node's test runner, Vitest, Jest, or any command that runs the
// first, and reads the journal of our reporter. Where there is none, the exit
// code decides.
func readTest(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	places := s.Places()
	m := parseManifest(places.Text("package.json"))
	x := explainer{places, m.Name}
	runner, named := runnerOf(argv, m.script())
	var env []string
	if runner == vitestRunner || runner == jestRunner || runner == avaRunner {
		env = []string{"CI=1"} // or a new snapshot is written, and its test passes
	}
	if runner == avaRunner {
		return readAVA(ctx, s, testrun.Job{Name: "test", Argv: reporterArgs(argv, runner, ""), Env: env}, x)
	}
	run, reported, err := journal.Keep(ctx, s, files, func(dir string) testrun.Job {
		if runner == nodeRunner {
			env = nodeEnv(s, dir)
		}
		return testrun.Job{Argv: reporterArgs(argv, runner, dir), Env: env}
	})
	run.Explain, run.NoTestsExit = x.explain, 1
	switch end := run.End; {
	case err != nil:
		return testrun.Verdict{}, err
	case reported:
	case runner == jestRunner && strings.Contains(end.Output, "No tests found, exiting with code"):
		end.Exit = 0
		return testrun.Reported(end, nil, nil), nil
	case runner == mochaRunner && end.Exit == 1:
		run.Journal.LoadFailed(journal.Event{Event: "broken", Text: strings.Replace(end.Output, "Exception during run: ", "", 1)}) // a file that cannot be loaded ends Mocha
	case named:
		return journal.NoReport(end, "could not determine executable to run", "canceled due to missing packages"), nil
	case npmErrorPattern.MatchString(end.Output):
		return journal.NoReport(end), nil
	default:
		return journal.ByExitCode(end, "\nℹ tests ", "\n# tests "), nil
	}
	return run.Verdict(), nil
}

// manifest is what a package.json says of a project.
type manifest struct {
	Name    string            `json:"name"`
	Scripts map[string]string `json:"scripts"`
	Needs   map[string]string `json:"dependencies"`
	Dev     map[string]string `json:"devDependencies"`
}

// parseManifest reads a package.json; no text says nothing.
func parseManifest(text string) (m manifest) {
	_ = json.Unmarshal([]byte(text), &m) // a field of another type says nothing, and neither does what is no JSON
	return m
}

// npmErrorPattern finds what npm, pnpm, Yarn or Bun say where they could not run a
// script at all. What a script's own failure is called differs by version.
var npmErrorPattern = lazyregexp.New(`(?m)^npm (?:error|ERR!) (?:[Mm]issing script|code E(?:[A-KM-Z]|L[A-HJ-Z])|could not determine|canceled due)` +
	`|^\s*ERR_PNPM_NO_SCRIPT|^error Command "[^"]*" not found\.|^error: Script not found|^Usage Error: Couldn't find a script`)

// separatorPattern separates the commands of a script, or matches what is quoted.
var separatorPattern = lazyregexp.New(`"[^"]*"|'[^']*'|(&&|\|\||[;|&])`)

// script is what npm test would run: of several commands the last, which gets
// the arguments that npm adds.
func (m manifest) script() []string {
	text, last := m.Scripts["test"], 0
	for _, at := range separatorPattern().FindAllStringSubmatchIndex(text, -1) {
		last = max(last, at[3])
	}
	return strings.Fields(text[last:])
}

// runnerOf finds the runner that a command starts, as far as the command or the
// script that npm runs for it tells; named is true where one of them does.
func runnerOf(argv, script []string) (found runner, named bool) {
	words := argv
	if npmTest(argv) {
		words = script
	}
	for i, word := range words {
		switch base := output.Program(word); {
		case slices.Contains([]string{"vitest", "jest", "mocha", "ava"}, base):
			return runner(base), true
		case base == "borp", base == "node" && slices.Contains(words[i:], "--test"):
			return nodeRunner, true
		}
	}
	return nodeRunner, false
}

// npmTest reports whether a command makes npm, or one of its kind, run the test script.
func npmTest(argv []string) bool {
	if !slices.Contains([]string{"npm", "pnpm", "yarn"}, output.Program(argv[0])) {
		return false
	}
	rest := slices.DeleteFunc(slices.Clone(argv[1:]), func(arg string) bool { return strings.HasPrefix(arg, "-") || arg == "run" })
	return len(rest) > 0 && (rest[0] == "test" || rest[0] == "t")
}

// reporterArgs adds our reporter to the arguments of a runner that takes none
// from the environment.
func reporterArgs(argv []string, by runner, dir string) []string {
	more, ours := map[runner][]string{
		vitestRunner: {"--reporter=default", "--reporter=" + filepath.Join(dir, "git_tdd_vitest.mjs")},
		jestRunner:   {"--reporters=default", "--reporters=" + filepath.Join(dir, "git_tdd_jest.cjs")},
		mochaRunner:  {"--reporter", filepath.Join(dir, "git_tdd_mocha.cjs")},
		avaRunner:    {"--tap"},
	}[by]
	if !ours {
		return argv
	}
	return withArgs(argv, more)
}

// withArgs adds arguments for the runner itself.
func withArgs(argv, more []string) []string {
	out := slices.Clone(argv)
	if npmTest(argv) && output.Program(argv[0]) != "yarn" && !slices.Contains(argv, "--") {
		out = append(out, "--")
	}
	return append(out, more...)
}

// nodeEnv makes every node that is started load our reporter, beside the usual
// one, and the guard that notices how a test file ends.
func nodeEnv(s *testrun.Session, dir string) []string {
	declared := testrun.LookupEnv(s.Env, "NODE_OPTIONS")
	quoted := func(flag, name string) string {
		path := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(filepath.Join(dir, name))
		return flag + `="` + path + `"`
	}
	options := []string{
		declared, quoted("--require", "git_tdd_guard.cjs"),
		quoted("--test-reporter", "git_tdd_node.mjs"), "--test-reporter-destination=stdout",
		"--test-reporter=spec", "--test-reporter-destination=stdout",
	}
	env := []string{"NODE_OPTIONS=" + strings.TrimSpace(strings.Join(options, " ")), "TDD_NODE_OPTIONS=" + declared}
	if s.Request.Altered {
		env = append(env, "TDD_END=1")
	}
	return env
}
