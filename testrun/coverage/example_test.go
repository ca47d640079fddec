package coverage_test

import (
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/testrun/coverage"
)

func ExampleLines_Lcov() {
	found := coverage.Lines{}
	read := found.Lcov(func(name string) string { return strings.TrimPrefix(name, "/home/me/") })
	for line := range strings.Lines("SF:/home/me/calc.js\nDA:1,2\nDA:3,0\nend_of_record\n") {
		read([]byte(line))
	}
	fmt.Println(found)
	// Output: map[calc.js:map[1:true 3:false]]
}
