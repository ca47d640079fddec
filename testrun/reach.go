package testrun

import "fmt"

// reach says of every line that can be executed, by the path of its file in the
// project, whether it was.
type reach map[string]map[int]bool

// note takes in a line. One that was ever reached is.
func (l reach) note(file string, line int, reached bool) {
	if l[file] == nil {
		l[file] = map[int]bool{}
	}
	l[file][line] = l[file][line] || reached
}

// unmeasured says why line coverage cannot be measured.
type unmeasured string

// Error is the reason itself.
func (u unmeasured) Error() string { return string(u) }

// unmeasuredf words such a reason.
func unmeasuredf(format string, args ...any) error { return unmeasured(fmt.Sprintf(format, args...)) }
