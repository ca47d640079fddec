package testrun

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// phpReporters is the pattern of what a run of PHP is given. The coverage driver
// PCOV is on wherever it is installed, and a small test takes a seventh longer for
// it: where provably nothing asks for coverage it is switched off.
func phpReporters(dir string, argv []string) string {
	if phpMayCover(dir, argv) {
		return "git_tdd_php*"
	}
	return "git_tdd_p[hc]*"
}

// phpMayCover reports whether a command, or a project's settings, may want
// coverage. PHPUnit takes long options that are cut short; an extension of it may
// ask for coverage, and what is about coverage in composer.json may be code that
// asks the driver itself.
func phpMayCover(dir string, argv []string) bool {
	at := slices.IndexFunc(argv, phpunit)
	direct := at == 0 || at == 1 && filepath.Base(argv[0]) == "php"
	if !direct || slices.ContainsFunc(argv, phpOtherSettings) {
		return true
	}
	asks := regexp.MustCompile(`(?i)coverage-|<report\b|<extension|<listener|pcov|<!`)
	for _, name := range []string{"phpunit.xml", "phpunit.dist.xml", "phpunit.xml.dist"} {
		text := regexp.MustCompile(`(?s)<!--.*?-->`).ReplaceAll(readOr(dir, name), nil)
		if asks.Match(text) {
			return true
		}
	}
	return regexp.MustCompile(`(?i)coverage|pcov`).Match(readOr(dir, "composer.json"))
}

// phpOtherSettings reports whether an argument may name settings, or coverage.
func phpOtherSettings(arg string) bool {
	arg = strings.ToLower(arg)
	return strings.HasPrefix(arg, "-c") || strings.HasPrefix(arg, "-d") || strings.HasPrefix(arg, "--c") && !strings.HasPrefix(arg, "--colors") ||
		strings.HasPrefix(arg, "--e") || strings.Contains(arg, "cov") || strings.HasPrefix(arg, "--xd")
}
