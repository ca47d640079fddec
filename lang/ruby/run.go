package ruby

import (
	"context"
	"embed"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// reporters are what writes the journal, from inside each Ruby process.
//
//go:embed reporters
var reporters embed.FS

// readTest runs minitest, RSpec, or any command that runs one of them, and
// reads the journal of our reporter. Where there is none, the exit code decides.
func readTest(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	run, reported, err := journal.Keep(ctx, s, reporters, func(dir string) testrun.Job { return testrun.Job{Argv: argv, Env: environ(s.Env, dir)} })
	switch {
	case err != nil:
		return testrun.Verdict{}, err
	case !reported && (isRunner(argv) || bundlerPattern.MatchString(run.End.Output)):
		return journal.NoReport(run.End, "not found"), nil
	case !reported:
		return journal.ByExitCode(run.End, " runs, ", " examples, "), nil
	}
	run.Explain, run.NoTestsExit = explainer{run.Places}.explain, 1
	return run.Verdict(), nil
}

// bundlerPattern finds what Bundler says where it cannot begin: a gem is not
// installed, or the Gemfile cannot be read.
var bundlerPattern = lazyregexp.New(`(?m)\(Bundler::\w+\)$|^Could not find .* in (?:locally installed gems|any of the sources)|^bundler: command not found`)

// isRunner reports whether a command is a runner that we report from.
func isRunner(argv []string) bool {
	return slices.ContainsFunc(argv, func(word string) bool {
		return slices.Contains([]string{"rspec", "minitest", "rake_test_loader.rb"}, filepath.Base(word)) || word == "-rminitest/autorun"
	})
}

// environ makes every Ruby that is started load our reporter. RUBYLIB names its
// folder, because RUBYOPT is cut at white space.
func environ(env []string, dir string) []string {
	return []string{
		testrun.Prepended(env, "RUBYLIB", dir),
		"RUBYOPT=" + strings.TrimSpace("-rgit_tdd_ruby "+testrun.LookupEnv(env, "RUBYOPT")),
	}
}

// narrow is a call of RSpec, or of Ruby with minitest, for a few tests only.
func narrow(argv []string, tests []gates.Test) []string {
	if at := slices.IndexFunc(argv, func(word string) bool { return filepath.Base(word) == "rspec" }); at >= 0 {
		return narrowRSpec(argv, at, tests)
	}
	if n := len(argv); n > 2 && filepath.Base(argv[0]) == "ruby" && argv[n-2] == "-e" && argv[n-1] == requireAll {
		return append(slices.Clone(argv), "--", "-n", "/"+names(tests)+"/")
	}
	return nil
}

// narrowRSpec names examples by file and line.
func narrowRSpec(argv []string, at int, tests []gates.Test) []string {
	if slices.ContainsFunc(argv[at+1:], func(arg string) bool { return !strings.HasPrefix(arg, "--") }) {
		return nil // files, or the value of an option
	}
	var places []string
	for _, t := range tests {
		if t.File == "" || t.Line == 0 {
			return nil
		}
		places = append(places, t.File+":"+strconv.Itoa(t.Line))
	}
	return append(slices.Clone(argv), slices.Compact(slices.Sorted(slices.Values(places)))...)
}

// names is a pattern for the methods of some tests. Those of blocks are numbered.
func names(tests []gates.Test) string {
	var out []string
	for _, t := range tests {
		out = append(out, strings.TrimPrefix(t.ID[strings.LastIndex(t.ID, "::")+1:], ":"))
	}
	return `\A(?:test_\d{4}_)?` + strings.ReplaceAll(output.AnyOf(out), "/", `\/`) + `\z`
}
