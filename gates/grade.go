package gates

import (
	"fmt"
	"slices"
)

// Grade says what a passing test is worth, by what it notices when every test of
// its tree is made to expect something else.
type Grade string

// The grades, the best first. A test that was not mirrored has none.
const (
	GradeValue  Grade = "A" // it notices that a value it expects is another one
	GradeSense  Grade = "B" // it notices only that the sense of its checks is turned round
	GradeGuard  Grade = "C" // only what guards its checks notices anything
	GradeNone   Grade = "D" // it has no check
	GradeHollow Grade = "H" // it has checks, and passes whatever they expect
)

// Worth is the order of grades: what is worth more is greater. A grade that is not
// known is worth as much as any.
func (g Grade) Worth() int {
	order := []Grade{GradeHollow, GradeNone, GradeGuard, GradeSense, GradeValue}
	if at := slices.Index(order, g); at >= 0 {
		return at
	}
	return len(order)
}

// Says is a grade and what it means.
func (g Grade) Says() string {
	meaning := map[Grade]string{
		GradeValue: "notices another expected value", GradeSense: "notices its check turned round; no value is spelled out in that",
		GradeGuard: "notices only errors on the way", GradeNone: "checks nothing", GradeHollow: "passes whatever it expects",
	}
	return fmt.Sprintf("%s, %s", g, meaning[g])
}
