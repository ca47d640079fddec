package coverage

import (
	"fmt"
	"path/filepath"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// Lines says of every line that can be executed, by file, whether it was.
type Lines map[string]map[int]bool

// Note takes in a line. One that was reached once stays so.
func (l Lines) Note(file string, line int, reached bool) {
	if l[file] == nil {
		l[file] = map[int]bool{}
	}
	l[file][line] = l[file][line] || reached
}

// Only returns the lines on which a statement begins, as found in the text of each file below
// root: for tools that count every line of a statement, and comments between.
func (l Lines) Only(root string, statements func(text string) map[int]bool) Lines {
	out := Lines{}
	for file, found := range l {
		text, err := wholefile.Read(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			continue
		}
		begins := statements(string(text))
		for line, reached := range found {
			if begins[line] {
				out.Note(file, line, reached)
			}
		}
	}
	return out
}

// UnmeasuredError says why line coverage cannot be measured.
type UnmeasuredError struct{ why string }

// Error is the reason itself.
func (e UnmeasuredError) Error() string { return e.why }

// Unmeasured is an [UnmeasuredError] with that reason.
func Unmeasured(why string) error { return UnmeasuredError{why} }

// Unmeasuredf formats the reason of an [UnmeasuredError].
func Unmeasuredf(format string, args ...any) error { return Unmeasured(fmt.Sprintf(format, args...)) }
