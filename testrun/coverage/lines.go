package coverage

import (
	"fmt"
)

// Lines says of every line that can be executed, by the path of its file in the
// project, whether it was.
type Lines map[string]map[int]bool

// Note takes in a line. One that was ever reached is.
func (l Lines) Note(file string, line int, reached bool) {
	if l[file] == nil {
		l[file] = map[int]bool{}
	}
	l[file][line] = l[file][line] || reached
}

// Unmeasured says why line coverage cannot be measured.
type Unmeasured string

// Error is the reason itself.
func (u Unmeasured) Error() string { return string(u) }

// Unmeasuredf words such a reason.
func Unmeasuredf(format string, args ...any) error { return Unmeasured(fmt.Sprintf(format, args...)) }
