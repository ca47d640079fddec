package coverage

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// lcov reads coverage in lcov's format, which many tools write.
type lcov struct {
	Lines Lines
	own   func(name string) string // a file of the project as facts name it, or ""
	file  string                   // that the lines are of; empty where the project has no such file
}

func NewLcov(own func(name string) string) *lcov { return &lcov{Lines: Lines{}, own: own} }

// Read takes in a line: "SF:path" begins a file, "DA:7,3" says that line 7 was
// executed 3 times. None of it is for people.
func (l *lcov) Read(line []byte) (show string) {
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

// Only leaves the lines on which a statement begins, for tools that count every
// line that one goes over, and comments between them.
func (l Lines) Only(root string, statements func(text string) map[int]bool) Lines {
	out := Lines{}
	for file, found := range l {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
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

// StatementLines finds the lines of a text on which a statement begins. In the
// text comments are blank and the contents of strings are masked, so that only
// brackets of the code are seen; a line that begins within a string is none.
// What continues between parentheses, or does not begin anew after the byte
// before it, begins nothing.
func StatementLines(masked string, begins func(before byte, line string) bool) map[int]bool {
	out := map[int]bool{}
	var open []byte // brackets
	before := byte(';')
	number := 0
	for line := range strings.Lines(masked) {
		number++
		text := strings.TrimSpace(line)
		inBlock := len(open) == 0 || open[len(open)-1] == '{'
		if text != "" && inBlock && strings.IndexByte(")]}{.,;", text[0]) < 0 && begins(before, text) {
			out[number] = true
		}
		for i := range len(text) {
			switch c := text[i]; {
			case strings.IndexByte("([{", c) >= 0:
				open = append(open, c)
			case strings.IndexByte(")]}", c) >= 0 && len(open) > 0:
				open = open[:len(open)-1]
			}
		}
		if text != "" {
			before = text[len(text)-1]
		}
	}
	return out
}
