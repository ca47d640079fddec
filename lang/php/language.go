package php

import (
	"embed"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
)

// files are what writes the journal from inside each runner.
//
//go:embed reporters
var files embed.FS

// Language is PHP with PHPUnit.
func Language() testrun.Language {
	return testrun.Language{
		Name:         "php",
		Markers:      []string{"composer.json", "phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"},
		Flat:         []string{"tests/**/*Test.php"},
		Covers:       func(p testrun.Sources, dir string) bool { return !p.Has(dir + "/composer.json") },
		Defaults:     testrun.Commands{Test: []string{"phpunit", "tests"}},
		Tools:        [][]string{{"php", "--version"}},
		VersionFiles: []string{"composer.lock", ".php-version", ".tool-versions"},
		Variants: []testrun.Variant{
			{Has: []string{"composer.json", "phpunit.{xml,xml.dist,dist.xml}"}, Test: []string{"vendor/bin/phpunit"}},
			{Has: []string{"composer.json"}, Test: []string{"vendor/bin/phpunit", "tests"}},
			{Has: []string{"phpunit.{xml,xml.dist,dist.xml}"}, Test: []string{"phpunit"}},
		},
		Link: []string{"vendor"},
		Rules: testrun.Rules(
			testrun.PathRules(gates.KindSupport, "**/tests/bootstrap.php", "**/tests/{Support,Fixtures,_support,_data}/**"),
			testrun.PathRules(gates.KindConfig,
				"**/composer.{json,lock}", "**/phpunit*.xml*", "**/phpunit.dist.xml", "**/phpstan*.neon*", "**/psalm*.xml*",
				"**/.php-cs-fixer*", "**/phpcs.xml*", "**/{,.}php.ini", "**/.user.ini", "**/infection.json*"),
			testrun.PathRules(gates.KindTest, "**/*Test.php", "**/*TestCase.php", "**/*.phpt"),
			testrun.PathRules(gates.KindSupport, "**/tests/**", "**/test/**"),
			testrun.PathRules(gates.KindSource, "**/*.{php,inc,phtml,twig}", "bin/*"),
		),
		Idiom:        `a test is a public function testName(): void in a class NameTest extends TestCase; $this->assertSame($expected, $actual), $this->expectException(Type::class) before the call.`,
		Stub:         `throw new \LogicException('not implemented')`,
		Raises:       "throws an exception",
		Installation: testrun.Installation{Inherits: []string{"COMPOSER_HOME"}, Records: []string{"composer/installed.json"}, Sees: testrun.FoldersOf("~/.composer/vendor", "~/.config/composer/vendor"), LeadsBack: leadsBack},
		Awareness: testrun.Awareness{
			Asks:    lazyregexp.New(`\bdebug_(?:print_)?backtrace\s*\(|\bgetTrace(?:AsString)?\s*\(|\bPHPUnit\b|\b(?:class_exists|defined|function_exists)\s*\(\s*['"][^'"]*(?:PHPUnit|PHPUNIT|Pest)|\bget_included_files\s*\(|\brunkit\w*\(|\buopz_\w+|\bposix_(?:kill|getppid)\b`),
			Helps:   lazyregexp.New(`(?m)^\s*use\s+PHPUnit\\`),
			Leaves:  lazyregexp.New(`(?:^|[\s;{])(?:exit|die)\s*[(;]|\$(?:argv|_SERVER\s*\[\s*['"]argv['"])`),
			Program: lazyregexp.New(`^#!|\bgetopt\s*\(`),
		},
		Installs: []testrun.Install{{Has: []string{"composer.json"}, Run: `composer install`}},
		Syntax:   testrun.Syntax{Declared: page().Declared, Assertions: assertions, Checks: page().Checks, Mutants: page().Mutants, Near: page().Near, Code: code},
		Test:     readTest,
		Narrow:   narrow,
	}
}

// leadsBack finds the classes of the project itself in Composer's autoloader, which
// looks for them beside the folder of dependencies.
func leadsBack(vendor, _ string) string {
	for _, list := range []string{"psr4", "classmap", "namespaces", "files"} {
		name := filepath.Join(vendor, "composer", "autoload_"+list+".php")
		if text, err := wholefile.Read(name); err == nil && strings.Contains(string(text), "$baseDir . ") {
			return name
		}
	}
	return ""
}
