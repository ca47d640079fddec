package testrun

import (
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// rubyAll runs every test file of minitest where no Rakefile says how; a folder
// without one is seen to be empty, because minitest is loaded in any case.
const rubyAll = `Dir["./test/**/{*_test,test_*}.rb"].sort.each { |f| require f }`

// rubyLanguage is Ruby with minitest or RSpec.
func rubyLanguage() Language {
	return Language{
		Name:     "ruby",
		Markers:  []string{"Gemfile", "Rakefile", ".rspec", "*.gemspec"},
		Defaults: Commands{Test: []string{"ruby", "-Ilib", "-Itest", "-rminitest/autorun", "-e", rubyAll}},
		Variants: []Variant{
			{Has: []string{"{.rspec,spec/**/*_spec.rb}", "Gemfile"}, Test: []string{"bundle", "exec", "rspec"}},
			{Has: []string{"{.rspec,spec/**/*_spec.rb}"}, Test: []string{"rspec"}},
			{Has: []string{"Rakefile", "Gemfile"}, Test: []string{"bundle", "exec", "rake", "test"}},
			{Has: []string{"Rakefile"}, Test: []string{"rake", "test"}},
		},
		Tools:        [][]string{{"ruby", "--version"}},
		VersionFiles: []string{".ruby-version", ".tool-versions", "Gemfile.lock"},
		Link:         []string{"vendor/bundle", ".bundle"},
		Rules: slices.Concat(
			sharedSupport(),
			rules(gates.KindSupport, "**/{test,spec,rails}_helper.rb", "**/{test,spec}/support/**", "**/{test,spec}/{helpers,factories,mocks}/**"),
			rules(gates.KindConfig,
				"**/Gemfile*", "**/gems.{rb,locked}", "**/Rakefile", "**/*.rake", "**/*.gemspec", "**/.rspec*", "**/.minitest*",
				"**/.rubocop*.yml", "**/.ruby-version", "**/.tool-versions", "**/.bundle/**", "**/.standard.yml", "**/.simplecov",
				"**/Guardfile", "**/Makefile"),
			rules(gates.KindTest, "**/*_{test,spec}.rb", "**/test_*.rb", "**/{test,tests}.rb"),
			rules(gates.KindSupport, "**/test/**", "**/tests/**", "**/spec/**"),
			rules(gates.KindSource, "**/*.{rb,ru,erb,haml,slim,c,h}", "bin/*", "exe/*"),
			sharedOther(),
		),
		syntax: syntax{declared: rubyDeclared, assertions: rubyAssertions},
		test:   readRubyTest,
		cover:  coverRuby,
	}
}
