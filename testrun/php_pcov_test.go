package testrun

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

func TestPHPMayCover(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		command, file, text string
		may                 bool
	}{
		{"phpunit tests", "", "", false},
		{"vendor/bin/phpunit --colors=never --filter A", "phpunit.xml", `<phpunit failOnRisky="true"><testsuites/></phpunit>`, false},
		{"phpunit", "phpunit.xml", `<!-- <report> --><phpunit requireCoverageMetadata="true"><coverage/><source/></phpunit>`, false},
		{"phpunit", "composer.json", `{"require-dev": {"phpunit/phpunit": "^9"}}`, false},
		{"php vendor/bin/phpunit", "", "", false},
		{"sh phpunit", "", "", true},
		{"make test", "", "", true},
		{"composer test", "", "", true},
		{"phpunit --coverage-text", "", "", true},
		{"phpunit --path-coverage", "", "", true},
		{"phpunit --cov", "", "", true},
		{"phpunit -c other.xml", "", "", true},
		{"phpunit -cother.xml", "", "", true},
		{"phpunit --config other.xml", "", "", true},
		{"phpunit --extension A", "", "", true},
		{"phpunit -d pcov.enabled=1", "", "", true},
		{"phpunit", "phpunit.xml.dist", `<phpunit><coverage><report><text outputFile="a"/></report></coverage></phpunit>`, true},
		{"phpunit", "phpunit.dist.xml", `<phpunit><logging><log type="coverage-text"/></logging></phpunit>`, true},
		{"phpunit", "phpunit.xml", `<phpunit><extensions><bootstrap class="A"/></extensions></phpunit>`, true},
		{"phpunit", "phpunit.xml", `<!DOCTYPE a [<!ENTITY b SYSTEM "c">]><phpunit>&b;</phpunit>`, true},
		{"phpunit", "composer.json", `{"require-dev": {"phpunit/php-code-coverage": "^9"}}`, true},
	} {
		dir := t.TempDir()
		if c.file != "" {
			writeProject(t, dir, []txtar.File{{Name: c.file, Data: []byte(c.text)}})
		}
		if may := phpMayCover(dir, strings.Fields(c.command)); may != c.may {
			t.Errorf("%s with %s %s: %v", c.command, c.file, c.text, may)
		}
	}
}

// The driver is off where nothing asks for it, and what tests start has it.
func TestPCOV(t *testing.T) {
	t.Parallel()
	need(t, "php", "phpunit")
	if exec.CommandContext(t.Context(), "php", "-r", "exit(extension_loaded('pcov') ? 0 : 1);").Run() != nil {
		t.Skip("PCOV is not installed")
	}
	for setting, expected := range map[string]string{"": "0", "<phpunit><coverage><report><text outputFile='a'/></report></coverage></phpunit>": "1"} {
		req := project(t, "php", "-- tests/ATest.php --\n<?php\nclass ATest extends PHPUnit\\Framework\\TestCase\n{\n    public function testA(): void\n    {\n"+
			"        $this->assertSame('"+expected+"', ini_get('pcov.enabled'));\n"+
			"        $this->assertSame('1', shell_exec(PHP_BINARY . ' -r \"echo ini_get(\\'pcov.enabled\\');\"'));\n    }\n}\n-- phpunit.xml --\n"+setting)
		if setting == "" {
			write(t, req.Dir, "-- phpunit.xml --\n<phpunit/>\n")
		}
		req.Commands.Test = []string{"phpunit", "tests"}
		if got := measure(t, req); got.Facts.Outcome != "passed" {
			t.Errorf("%q: %+v", setting, got)
		}
	}
}
