package ruby

import (
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

var asksPattern = lazyregexp.New(`\bcaller(?:_locations)?\b|\bdefined\?\s*\(?\s*(?:::)?(?:Minitest|RSpec|Test::Unit)\b|\b(?:Minitest|RSpec)\b|\bconst_defined\?|\bexit!|\bObjectSpace\b|\bTracePoint\b|^\s*class\s+(?:String|Integer|Float|Array|Hash|Object|BasicObject|NilClass|Symbol|Proc|Module|Class|Exception)\b|^\s*module\s+Kernel\b|\b(?:String|Integer|Array|Hash|Object|Kernel|Module)\.(?:prepend|include|class_eval|define_method|send)\b`)

var leavesPattern = lazyregexp.New(`(?:^|[\s;])(?:exit|abort)\b|\$PROGRAM_NAME|\$0\b|\bARGV\b|\bat_exit\b`)

var programPattern = lazyregexp.New(`^#!|__FILE__\s*==\s*\$(?:0|PROGRAM_NAME)|\bOptionParser\b`)

var helpsPattern = lazyregexp.New(`(?m)^\s*require\s*\(?\s*['"](?:minitest|rspec|test/unit)\b`)

// awareness is how sources in Ruby ask whether they are tested.
func awareness() testrun.Awareness {
	return testrun.Awareness{Asks: &asksPattern, Helps: &helpsPattern, Leaves: &leavesPattern, Program: &programPattern}
}
