package ruby

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// raised says what an exception of Ruby means. As in Python, a name that a
// test misses is one that is not written yet.
type raised struct{ places *testrun.Places }

// explain finds class and place of an exception. The reporter leaves out what
// lies in gems.
func (r raised) explain(e journal.Event) journal.Finding {
	f, at := journal.RaisedAt(r.places, e.Frames, func(name string) string { return r.places.Relative(name) })
	f.Class, f.Symbol = r.class(e, at)
	return f
}

func (r raised) class(e journal.Event, at testrun.Place) (gates.Class, string) {
	is := func(kinds ...string) bool {
		return slices.ContainsFunc(kinds, func(kind string) bool { return slices.Contains(e.Kinds, kind) })
	}
	switch {
	case is("Minitest::Assertion", "RSpec::Expectations::ExpectationNotMetError", "RSpec::Core::Pending::PendingExampleFixedError",
		"MockExpectationError", "RSpec::Mocks::MockExpectationError"):
		if at == testrun.InSource {
			return gates.ClassException, ""
		}
		return gates.ClassAssertion, ""
	case is("NotImplementedError"), len(e.Kinds) > 0 && e.Kinds[0] == "RuntimeError" && output.SaysUnimplemented(e.Message):
		return gates.ClassUnimplemented, ""
	case is("SyntaxError"):
		return gates.ClassSyntax, ""
	case is("LoadError"):
		return r.loaded(e.Name, at)
	case is("NameError") && at == testrun.InTest && e.Name != "":
		return gates.ClassMissingSymbol, e.Name
	}
	return gates.ClassException, ""
}

// loaded is the class of a file that could not be loaded. What production code
// misses was not asked for by a test.
func (r raised) loaded(name string, at testrun.Place) (gates.Class, string) {
	if name == "" || !r.own(name) {
		return gates.ClassInfra, ""
	}
	if at == testrun.InSource {
		return gates.ClassCompile, ""
	}
	return gates.ClassMissingSymbol, strings.TrimSuffix(path.Base(filepath.ToSlash(name)), ".rb")
}

// own reports whether a file that is missing would be the project's: it is
// named by its path, stands beside others that are, or no gem is known that
// would have it.
func (r raised) own(name string) bool {
	if filepath.IsAbs(name) {
		return strings.HasPrefix(name, r.places.Dir+string(filepath.Separator)) || strings.HasPrefix(name, testrun.Resolved(r.places.Dir)+string(filepath.Separator))
	}
	if output.HasAnyPrefix(name, "./", "../") {
		return true
	}
	top, _, _ := strings.Cut(name, "/")
	for _, dir := range []string{"lib", "test", "spec", "app", ""} {
		if r.places.Relative(path.Join(dir, top)) != "" || r.places.Relative(path.Join(dir, top+".rb")) != "" {
			return true
		}
	}
	return !foreign(r.places.Dir, top)
}

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
	named := regexp.MustCompile(`(?m)(?:\bgem|_dependency)\b[( ]+["']([\w-]+)`)
	files, _ := filepath.Glob(filepath.Join(dir, "*.gemspec")) // the pattern is sound
	for _, file := range append(files, filepath.Join(dir, "Gemfile")) {
		raw, _ := os.ReadFile(file) // no such file names nothing
		for _, hit := range named.FindAllStringSubmatch(string(raw), -1) {
			if plain(hit[1]) == plain(top) {
				return true
			}
		}
	}
	return false
}
