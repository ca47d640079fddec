package python

import (
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

var asksPattern = lazyregexp.New(`\bsys\.(?:modules|_getframe|settrace|setprofile|meta_path)\b|\binspect\.(?:stack|currentframe|getouterframes|trace)\b|\btraceback\.(?:extract_stack|walk_stack|print_stack)\b|^\s*(?:import|from)\s+(?:pytest|_pytest|unittest|nose|hypothesis|doctest|coverage)\b|\b(?:builtins|__builtins__)(?:\.\w+|\[[^]]*\])\s*=|\bsetattr\(\s*(?:builtins|__builtins__|unittest|pytest)\b|\bgc\.get_(?:objects|referrers)\b|\bos\.(?:_exit|abort|kill|getppid)\b`)

var leavesPattern = lazyregexp.New(`\bsys\.(?:argv|exit|orig_argv)\b|\b(?:quit|exit)\(|\braise\s+SystemExit\b`)

var programPattern = lazyregexp.New(`(?m)^if\s+__name__\s*==|^#!|\bargparse\b|\bdef main\(`)

var helpsPattern = lazyregexp.New(`(?m)^(?:import|from)\s+(?:pytest|_pytest|unittest|nose|hypothesis)\b`)

// awareness is how sources in Python ask whether they are tested.
func awareness() testrun.Awareness {
	return testrun.Awareness{Asks: &asksPattern, Helps: &helpsPattern, Leaves: &leavesPattern, Program: &programPattern}
}
