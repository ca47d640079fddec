package javascript

import (
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

var asksPattern = lazyregexp.New(`\b(?:Object|Array|String|Number|Boolean|Function|Promise|Map|Set|RegExp|Error|Symbol|Date|Math|JSON|Reflect)(?:\.prototype)?\.\w+\s*=[^=]|\bObject\.define(?:Property|Properties)\(\s*(?:Object|Array|String|Number|Function|globalThis|global)\b|\b(?:globalThis|global)\.(?:expect|assert|describe|it|test|jest|vi|process|Object|Array|Date|Math|JSON|console)\b|(?:require\(|\bfrom\s+|\bimport\s*\(?\s*)['"](?:node:)?(?:assert|test|vitest|@jest/globals|chai)(?:/\w+)?['"]|\bNODE_ENV\b.*\btest\b|\bimport\.meta\.vitest\b|\.captureStackTrace\(|new Error\([^)]*\)\.stack|\bprocess\.(?:reallyExit|abort|kill|binding|execArgv|ppid|mainModule)\b|\brequire\.(?:main|cache)\b|\bmodule\.parent\b|\barguments\.callee\b|\btypeof\s+(?:jest|describe|it|test|expect|vi)\b`)

var leavesPattern = lazyregexp.New(`\bprocess\.(?:exit|exitCode|argv|argv0)\b`)

var programPattern = lazyregexp.New(`^#!|\brequire\.main\s*===?\s*module\b|\bparseArgs\b|\bimport\.meta\.main\b`)

var helpsPattern = lazyregexp.New(`(?m)(?:require\(\s*|\bfrom\s+|^import\s+)['"](?:node:test|vitest|@jest/globals|chai|mocha|ava|tap|tape|sinon|@testing-library/[^'"]+)['"]`)

// awareness is how sources in JavaScript ask whether they are tested.
func awareness() testrun.Awareness {
	return testrun.Awareness{Asks: &asksPattern, Helps: &helpsPattern, Leaves: &leavesPattern, Program: &programPattern}
}
