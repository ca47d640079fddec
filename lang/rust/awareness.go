package rust

import (
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

var asksPattern = lazyregexp.New(`\bcfg!\s*\(\s*(?:not\s*\(\s*)?test\b|#!?\[\s*cfg(?:_attr)?\s*\(\s*(?:not\s*\(\s*test|any\s*\(\s*test|all\s*\(\s*not\s*\(\s*test)|\bthread::current\(\)\s*\.\s*name\b|\bcurrent_exe\(|\bpanic::(?:set_hook|take_hook)\b|\bBacktrace::\w+|\bRUST_TEST\w*|\bprocess::abort\b|\b(?:libc|unistd)::(?:_exit|exit|abort|kill)\b|\bCommandExt\b|\\?"type\\?"\s*:\s*\\?"(?:test|suite)\\?"\s*,\s*\\?"event\\?"|\binclude_(?:str|bytes)!\s*\(\s*"[^"]*\btests?/`)

var leavesPattern = lazyregexp.New(`\bprocess::(?:exit\b|\{[^}]*\bexit\b)|\benv::args(?:_os)?\(`)

var programPattern = lazyregexp.New(`(?m)^\s*(?:pub\s+)?(?:async\s+)?fn main\s*\(`)

// awareness is how sources in Rust ask whether they are tested.
func awareness() testrun.Awareness {
	return testrun.Awareness{Asks: &asksPattern, Leaves: &leavesPattern, Program: &programPattern}
}
