package lang_test

import (
	"fmt"

	"github.com/git-tdd/git-tdd/lang"
)

func ExampleAll() {
	paths := []string{"go.mod", "calc.go", "calc_test.go"}
	language, ok := lang.All().Detect(paths)
	fmt.Println(language.Name, ok, language.Defaults.Test)
	for _, path := range paths {
		fmt.Println(path, language.Kind(path))
	}
	// Output:
	// go true [go test ./...]
	// go.mod config
	// calc.go source
	// calc_test.go test
}
