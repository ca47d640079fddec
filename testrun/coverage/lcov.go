package coverage

import (
	"bytes"
	"strconv"
	"strings"
)

// Lcov reads coverage in lcov's format.
type Lcov struct {
	Lines Lines // what was read so far
	own   func(name string) string
	file  string // that the lines are of; empty where the project has no such file
}

// NewLcov returns a reader. own names a file of the project as facts do, or "" for any other.
func NewLcov(own func(name string) string) *Lcov { return &Lcov{Lines: Lines{}, own: own} }

// Read takes in a line: "SF:path" begins a file, "DA:7,3" says that line 7 was
// executed 3 times. It returns "", because none of it is for people to see.
func (l *Lcov) Read(line []byte) (show string) {
	text := string(bytes.TrimSpace(line))
	if path, ok := strings.CutPrefix(text, "SF:"); ok {
		l.file = l.own(path)
	}
	if entry, ok := strings.CutPrefix(text, "DA:"); ok && l.file != "" {
		parts := strings.Split(entry, ",")
		if number, err := strconv.Atoi(parts[0]); err == nil && number > 0 && len(parts) > 1 {
			count, _ := strconv.ParseFloat(parts[1], 64) // what is no number was not executed
			l.Lines.Note(l.file, number, count > 0)
		}
	}
	return ""
}
