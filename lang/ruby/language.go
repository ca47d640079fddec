package ruby

import (
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/coverage"
)

// requireAll runs every test file of minitest where no Rakefile says how; a folder
// without one is seen to be empty, because minitest is loaded in any case.
const requireAll = `Dir["./test/**/{*_test,test_*}.rb"].sort.each { |f| require f }`

// Language is Ruby with minitest or RSpec.
func Language() testrun.Language {
	unaided := []string{"ruby", "-Ilib", "-Itest", "-rminitest/autorun", "-e", requireAll}
	return testrun.Language{
		Name:     "ruby",
		Markers:  []string{"Gemfile", "Rakefile", ".rspec", "*.gemspec"},
		Flat:     []string{"**/*_{spec,test}.rb", "**/test_*.rb"},
		Covers:   func(p testrun.Sources, dir string) bool { return !p.Has(dir + "/Gemfile") },
		Defaults: testrun.Commands{Test: unaided},
		Variants: []testrun.Variant{
			{Has: []string{"{.rspec,spec/**/*_spec.rb}", "Gemfile"}, Test: []string{"bundle", "exec", "rspec"}},
			{Has: []string{"{.rspec,spec/**/*_spec.rb}"}, Test: []string{"rspec"}},
			{Has: []string{"Rakefile", "Gemfile"}, Test: []string{"bundle", "exec", "rake", "test"}},
			{Has: []string{"Rakefile"}, Test: []string{"rake", "test"}},
		},
		Likely: []testrun.Variant{
			{Has: []string{"Rakefile", "Gemfile"}, Test: []string{"bundle", "exec", "rake", "spec"}},
			{Has: []string{"Rakefile"}, Test: []string{"rake", "spec"}},
			{Has: []string{"test/**/{*_test,test_*}.rb"}, Test: unaided},
		},
		Tools:        [][]string{{"ruby", "--version"}},
		VersionFiles: []string{".ruby-version", ".tool-versions", "Gemfile.lock"},
		Link:         []string{"vendor/bundle", ".bundle"},
		Rules: slices.Concat(testrun.Shadows(".rb", "minitest", "rspec"), testrun.Rules(
			testrun.PathRules(gates.KindSupport, "**/{test,spec,rails}_helper.rb", "**/{test,spec}/support/**", "**/{test,spec}/{helpers,factories,mocks}/**"),
			testrun.PathRules(gates.KindConfig,
				"**/Gemfile*", "**/gems.{rb,locked}", "**/Rakefile", "**/*.rake", "**/*.gemspec", "**/.rspec*", "**/.minitest*",
				"**/.rubocop*.yml", "**/.ruby-version", "**/.tool-versions", "**/.bundle/**", "**/.standard.yml", "**/.simplecov",
				"**/Guardfile"),
			testrun.PathRules(gates.KindTest, "**/*_{test,spec}.rb", "**/test_*.rb", "**/{test,tests}.rb"),
			testrun.PathRules(gates.KindSupport, "**/test/**", "**/tests/**", "**/spec/**"),
			testrun.PathRules(gates.KindSource, "**/*.{rb,ru,erb,haml,slim,c,h}", "bin/*", "exe/*"),
		)),
		Idiom:  `assert_equal expected, actual in a method test_name, or in it "name" in minitest/spec; it "name" with expect(actual).to eq(expected) in RSpec; follow whichever the project has.`,
		Stub:   `raise NotImplementedError`,
		Raises: "raises an exception",
		Installation: testrun.Installation{
			Inherits: []string{"GEM_HOME", "GEM_PATH", "RBENV_ROOT", "RBENV_VERSION"},
			Records:  []string{"ruby/*/specifications", "ruby/*/bundler/gems"},
			Below:    []string{"lib/ruby/gems/*", "share/rubygems-integration/*", "gems/*"}, Packages: []string{"specifications"},
			Sees: testrun.FoldersOf("$GEM_HOME", "$GEM_PATH", "$RBENV_ROOT", "~/.rbenv", "~/.rvm", "~/.rubies", "~/.gem/ruby", "~/.local/share/gem"),
		},
		Awareness: testrun.Awareness{
			Asks:    lazyregexp.New(`\bcaller(?:_locations)?\b|\bdefined\?\s*\(?\s*(?:::)?(?:Minitest|RSpec|Test::Unit)\b|\b(?:Minitest|RSpec)\b|\bconst_defined\?|\bexit!|\bObjectSpace\b|\bTracePoint\b|^\s*class\s+(?:String|Integer|Float|Array|Hash|Object|BasicObject|NilClass|Symbol|Proc|Module|Class|Exception)\b|^\s*module\s+Kernel\b|\b(?:String|Integer|Array|Hash|Object|Kernel|Module)\.(?:prepend|include|class_eval|define_method|send)\b`),
			Helps:   lazyregexp.New(`(?m)^\s*require\s*\(?\s*['"](?:minitest|rspec|test/unit)\b`),
			Leaves:  lazyregexp.New(`(?:^|[\s;])(?:exit|abort)\b|\$PROGRAM_NAME|\$0\b|\bARGV\b|\bat_exit\b`),
			Program: lazyregexp.New(`^#!|__FILE__\s*==\s*\$(?:0|PROGRAM_NAME)|\bOptionParser\b`),
		},
		Installs: []testrun.Install{{Has: []string{"Gemfile"}, Run: `bundle install`}},
		Syntax:   testrun.Syntax{Declared: page().Declared, Assertions: page().Assertions, Checks: page().Checks, Mutants: page().Mutants, Near: page().Near, Code: page().Plain},
		Narrow:   narrow,
		Test:     readTest,
		Cover: testrun.CoverByReporter(coverage.Reasons{ // it starts Ruby's own in each process of the tests
			Silent: "for Ruby it is measured where minitest or RSpec runs, and neither did, or not to its end",
		}),
	}
}
