package ruby

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

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
	if output.HasAnyPrefix(name, "./", "../") {
		return true
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
