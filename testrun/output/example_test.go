package output_test

import (
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/testrun/output"
)

func ExampleFirstError() {
	fmt.Println(output.FirstError("Compiling\ntool: error: no such file\n  looked in src\nDone\n"))
	fmt.Println(output.FirstError("Compiling\nit went wrong\n"))
	fmt.Println(output.FirstError("npm warn old\nnpm error code E1\nnpm error Missing script: \"unit\"\nnpm error A complete log of this run can be found in: x\n"))
	fmt.Println(output.FirstError("/a/kernel_require.rb:85:in `require': cannot load such file -- rake (LoadError)\n\tfrom /a/kernel_require.rb:85:in `require'\n"))
	fmt.Println(output.FirstError("\n  a.js:1:2\n  ✖  1:2  Unexpected negated condition.  no-negated-condition\n\n  1 error\n"))
	fmt.Println(output.FirstError("/a.js\n  1:2  error  'x' is not used  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)\n"))
	fmt.Println(output.FirstError("  x Expected `)`\n    ,-[a.js:1:2]\n\nFound 0 warnings and 1 error.\nFinished in 29ms on 3 files.\n"))
	fmt.Println(output.FirstError("   FAIL  \"sums\"\n    Expected values to be equal\n\n  Passed:    8\n  Duration:  41.80ms\n"))
	fmt.Println(output.FirstError("no luck today\nmake: *** [Makefile:2: test] Error 1\n"))
	// Output:
	// tool: error: no such file
	//   looked in src
	// it went wrong
	// Missing script: "unit"
	// cannot load such file -- rake (LoadError)
	// 1:2  Unexpected negated condition.  no-negated-condition
	// 1:2  error  'x' is not used  no-unused-vars
	// Expected `)`
	// FAIL  "sums"
	// no luck today
}

func ExampleEachLine() {
	err := output.EachLine(strings.NewReader("1..1\nok 1\n"), func(line []byte) {
		fmt.Printf("%q\n", line)
	})
	fmt.Println(err)
	// Output:
	// "1..1"
	// "ok 1"
	// <nil>
}

func ExampleExcerpt() {
	e := output.NewExcerpt()
	_, _ = fmt.Fprint(e, "\x1b[31mred\x1b[0m ", strings.Repeat("x", 1<<20), " end")
	text, cut := e.Text()
	fmt.Println(text[:8], len(text) <= 16<<10, cut)
	// Output: red xxxx true true
}
