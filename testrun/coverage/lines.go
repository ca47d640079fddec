package coverage

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

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

// StatementLines finds the lines of a text on which a statement begins. Comments in it are
// blank and strings are masked, so only brackets of the code are seen; no statement begins
// within a string or between parentheses, or if begins says, given the last byte before the
// line, that the line goes on.
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

// process is what one process wrote.
type process struct {
	Installed int                    `json:"installed"` // whether it could measure at all
	Files     map[string]map[int]int `json:"files"`     // how often a line on which a statement begins was executed
}

// Reasons say why a run with a reporter measured nothing.
type Reasons struct {
	Silent  string // no process wrote anything
	Missing string // a process found nothing to measure with
}

// ReadReported reads what our reporters in the processes of a run wrote to a folder, one file
// of JSON each. own names a file of the project as facts do, and any other file "".
func ReadReported(folder string, own func(string) string, why Reasons) (Lines, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("find the coverage: %w", err)
	}
	if len(names) == 0 {
		return nil, Unmeasured(why.Silent)
	}
	out := Lines{}
	for _, name := range names {
		raw, err := wholefile.Read(name)
		if err != nil {
			return nil, fmt.Errorf("read the coverage: %w", err)
		}
		var c process
		if err := json.Unmarshal(raw, &c); err != nil {
			return nil, Unmeasured("what was reported of it cannot be read")
		}
		if c.Installed == 0 {
			return nil, Unmeasured(why.Missing)
		}
		out.addReported(c, own)
	}
	return out, nil
}

// addReported takes in the files of one process that belong to the project.
func (l Lines) addReported(c process, own func(string) string) {
	for name, found := range c.Files {
		file := own(name)
		if file == "" {
			continue
		}
		for line, count := range found {
			l.Note(file, line, count > 0)
		}
	}
}
