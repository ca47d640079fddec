package csyntax_test

import (
	"fmt"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/csyntax"
)

// The value that is written out is altered, and not what the code under test gets.
func ExampleCode_Decided() {
	c := csyntax.Parse(`sum(2, 3) == 5`)
	fmt.Println(testrun.Apply(c.Text, c.Decided(csyntax.Expr{To: c.Len()}, true)))
	// Output: sum(2, 3) == 46
}

func ExampleMutants() {
	for _, m := range csyntax.Mutants("int f(int a) {\n    if (a < 3) {\n        return a * 2;\n    }\n    return 7;\n}\n") {
		fmt.Printf("%d: %s\n", m.Line, m.What)
	}
	// Output:
	// 2: !(a < 3) for a < 3
	// 2: <= for <
	// 2: 44 for 3
	// 3: (a * 2) + 1 for a * 2
	// 3: + for *
	// 3: 43 for 2
	// 5: 48 for 7
}
