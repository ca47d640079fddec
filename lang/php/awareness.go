package php

import (
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

var asksPattern = lazyregexp.New(`\bdebug_(?:print_)?backtrace\s*\(|\bgetTrace(?:AsString)?\s*\(|\bPHPUnit\b|\b(?:class_exists|defined|function_exists)\s*\(\s*['"][^'"]*(?:PHPUnit|PHPUNIT|Pest)|\bget_included_files\s*\(|\brunkit\w*\(|\buopz_\w+|\bposix_(?:kill|getppid)\b`)

var leavesPattern = lazyregexp.New(`(?:^|[\s;{])(?:exit|die)\s*[(;]|\$(?:argv|_SERVER\s*\[\s*['"]argv['"])`)

var programPattern = lazyregexp.New(`^#!|\bgetopt\s*\(`)

var helpsPattern = lazyregexp.New(`(?m)^\s*use\s+PHPUnit\\`)

// awareness is how sources in PHP ask whether they are tested.
func awareness() testrun.Awareness {
	return testrun.Awareness{Asks: &asksPattern, Helps: &helpsPattern, Leaves: &leavesPattern, Program: &programPattern}
}
