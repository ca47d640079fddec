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
	"github.com/git-tdd/git-tdd/internal/wholefile"
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
	out := gates.Each(tests, func(t gates.Test) string { return strings.TrimPrefix(t.ID[strings.LastIndex(t.ID, "::")+1:], ":") })
	return `\A(?:test_\d{4}_)?` + strings.ReplaceAll(output.AnyOf(out), "/", `\/`) + `\z`
}

// explainer says what an exception means. A name that a test asks for in vain is
// one that nobody has written yet; in production code it is an ordinary exception.
type explainer struct{ places *testrun.Places }

// explain finds class and place of an exception. The reporter leaves out what
// lies in gems.
func (x explainer) explain(e journal.Event) journal.Finding {
	f, at := journal.RaisedAt(x.places, e.Frames, func(string) bool { return false })
	f.Class, f.Symbol = x.class(e, at)
	return f
}

// class is the class of an exception that was raised in somebody's code, and the
// name that it misses.
func (x explainer) class(e journal.Event, at testrun.Place) (gates.Class, string) {
	switch {
	case e.Is("Minitest::Assertion", "RSpec::Expectations::ExpectationNotMetError", "RSpec::Core::Pending::PendingExampleFixedError",
		"MockExpectationError", "RSpec::Mocks::MockExpectationError"):
		if at == testrun.InSource {
			return gates.ClassException, ""
		}
		return gates.ClassAssertion, ""
	case e.Is("NotImplementedError"), len(e.Kinds) > 0 && e.Kinds[0] == "RuntimeError" && output.SaysUnimplemented(e.Message):
		return gates.ClassUnimplemented, ""
	case e.Is("SyntaxError"):
		return gates.ClassSyntax, ""
	case e.Is("Bundler::BundlerError"):
		return gates.ClassInfra, ""
	case e.Is("LoadError"):
		return journal.Missing(e.Name, e.Name != "" && x.own(e.Name), at)
	case e.Is("NameError") && at == testrun.InTest && e.Name != "":
		return gates.ClassMissingSymbol, e.Name
	}
	return gates.ClassException, ""
}

// own reports whether a missing file would be the project's: it is named by its
// path, stands beside files of the project, or is in no gem that is known.
func (x explainer) own(name string) bool {
	if filepath.IsAbs(name) {
		_, ok := x.places.Inside(name)
		return ok
	}
	top, _, _ := strings.Cut(name, "/")
	return x.places.HasAny([]string{"lib", "test", "spec", "app", ""}, top, top+".rb") || !foreign(x.places.Dir, top)
}

// gemPattern finds the gems that a manifest names.
var gemPattern = lazyregexp.New(`(?m)(?:\bgem|_dependency)\b[( ]+["']([\w-]+)`)

// foreign reports whether a name is that of a gem: a well-known one, or one
// that the project's manifests name.
func foreign(dir, top string) bool {
	plain := func(s string) string { return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(s)) }
	known := []string{
		"minitest", "rspec", "rake", "bundler", "test", "mocha", "webmock", "vcr", "simplecov", "pry", "byebug", "debug", "rails",
		"activesupport", "activerecord", "activemodel", "actionpack", "sinatra", "rack", "capybara", "factorybot", "faker", "shoulda",
		"timecop", "nokogiri", "sequel", "sqlite3", "pg", "redis", "faraday", "httparty", "thor", "dry", "rubocop", "zeitwerk",
	}
	if slices.Contains(known, plain(top)) {
		return true
	}
	for _, file := range wholefile.Matching(dir, "*.gemspec", "Gemfile") {
		raw, _ := wholefile.Read(file)
		for _, hit := range gemPattern().FindAllStringSubmatch(string(raw), -1) {
			if plain(hit[1]) == plain(top) {
				return true
			}
		}
	}
	return false
}
