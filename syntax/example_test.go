package syntax_test

import (
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// likeC is the page of a small language.
func likeC() *syntax.Page {
	p := syntax.CFamily()
	p.Changing.Inert = syntax.InertC("print")
	p.Changing.Type = syntax.ByBodies
	return &p
}

// The value that is written out is altered, and not what the code under test gets.
func ExampleFinder_Decided() {
	f := syntax.Finder{Tree: likeC().Parse(`sum(2, 3) == 5`)}
	fmt.Println(syntax.Apply(f.Text, f.Decided(f.All(), true)))
	// Output: sum(2, 3) == 46
}

func ExamplePage_Mutants() {
	for _, m := range likeC().Mutants("int f(int a) {\n    if (a < 3) {\n        return a * 2;\n    }\n    print(4);\n    return 7;\n}\n") {
		fmt.Printf("%d: %s\n", m.Line, m.What)
	}
	// Output:
	// 2: !(a < 3) for a < 3
	// 2: <= for <
	// 2: (3 - 1) for 3
	// 3: (a * 2) + 1 for a * 2
	// 3: + for *
	// 3: 43 for 2
	// 6: 48 for 7
}

func ExamplePage_Plain() {
	fmt.Println(strings.ReplaceAll(likeC().Plain("a = 1; // one\n\n  b(\"//\");"), "\n", " "))
	// Output: a = 1 ; b ( "//" ) ;
}

// Neither the line breaks nor the text in quotes matter.
func ExamplePage_Assertions() {
	p := likeC()
	p.Expects.Pattern = lazyregexp.New(`\bcheck\(|\b(int want =)`)
	for _, expected := range p.Assertions("int want = 3;\ncheck(\n  sum(a,\n    \")\"),\n  want // why\n)\n  .twice();\nother(check);") {
		fmt.Println(expected)
	}
	// Output:
	// int want = 3
	// check(sum(a, ")"), want).twice()
}
