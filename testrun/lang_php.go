package testrun

import (
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// phpLanguage is PHP with PHPUnit.
func phpLanguage() Language {
	return Language{
		Name:         "php",
		Markers:      []string{"composer.json", "phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"},
		Defaults:     Commands{Test: []string{"phpunit", "tests"}},
		Tools:        [][]string{{"php", "--version"}},
		VersionFiles: []string{"composer.lock", ".php-version", ".tool-versions"},
		Variants: []Variant{
			{Has: []string{"composer.json", "phpunit.{xml,xml.dist,dist.xml}"}, Test: []string{"vendor/bin/phpunit"}},
			{Has: []string{"composer.json"}, Test: []string{"vendor/bin/phpunit", "tests"}},
			{Has: []string{"phpunit.{xml,xml.dist,dist.xml}"}, Test: []string{"phpunit"}},
		},
		Link: []string{"vendor"},
		Rules: slices.Concat(
			sharedSupport(),
			rules(gates.KindSupport, "vendor/**", "**/tests/bootstrap.php", "**/tests/{Support,Fixtures,_support,_data}/**"),
			rules(gates.KindConfig,
				"**/composer.{json,lock}", "**/phpunit*.xml*", "**/phpunit.dist.xml", "**/phpstan*.neon*", "**/psalm*.xml*",
				"**/.php-cs-fixer*", "**/phpcs.xml*", "**/{,.}php.ini", "**/.user.ini", "**/infection.json*", "**/Makefile"),
			rules(gates.KindTest, "**/*Test.php", "**/*TestCase.php", "**/*.phpt"),
			rules(gates.KindSupport, "**/tests/**", "**/test/**"),
			rules(gates.KindSource, "**/*.{php,inc,phtml,twig}", "bin/*"),
			sharedOther(),
		),
		syntax: syntax{declared: phpDeclared, assertions: phpAssertions},
		test:   readPHPTest,
	}
}
