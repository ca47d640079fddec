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

// Lcov reads lines of coverage in lcov's format into l: "SF:path" begins a file, "DA:7,3" says
// that line 7 was executed 3 times. own names a file of the project as facts do, or "" for any
// other. What is read shows nothing, because none of it is for people to see.
func (l Lines) Lcov(own func(name string) string) (read func(line []byte) (show string)) {
	file := "" // that the lines are of; empty where the project has no such file
	return func(line []byte) string {
		text := string(bytes.TrimSpace(line))
		if path, ok := strings.CutPrefix(text, "SF:"); ok {
			file = own(path)
		}
		if entry, ok := strings.CutPrefix(text, "DA:"); ok && file != "" {
			parts := strings.Split(entry, ",")
			if number, err := strconv.Atoi(parts[0]); err == nil && number > 0 && len(parts) > 1 {
				count, _ := strconv.ParseFloat(parts[1], 64) // what is no number was not executed
				l.Note(file, number, count > 0)
			}
		}
		return ""
	}
}

// UnmeasuredError says why line coverage cannot be measured.
type UnmeasuredError string

// Error is the reason itself.
func (e UnmeasuredError) Error() string { return string(e) }

// Unmeasuredf formats the reason of an [UnmeasuredError].
func Unmeasuredf(format string, args ...any) error {
	return UnmeasuredError(fmt.Sprintf(format, args...))
}

// Reasons say why a run with a reporter measured nothing.
type Reasons struct {
	Silent  string // no process wrote anything
	Missing string // a process found nothing to measure with
}

// ReadReported reads what our reporters in the processes of a run wrote to a folder, one file
// of JSON each. own names a file of the project as facts do, and any other file "".
func ReadReported(folder string, own func(string) string, why Reasons) (Lines, error) {
	names := wholefile.Matching(folder, "*.json")
	if len(names) == 0 {
		return nil, UnmeasuredError(why.Silent)
	}
	out := Lines{}
	for _, name := range names {
		raw, err := wholefile.Read(name)
		if err != nil {
			return nil, fmt.Errorf("read the coverage: %w", err)
		}
		var process struct {
			Installed int                    `json:"installed"` // whether it could measure at all
			Files     map[string]map[int]int `json:"files"`     // how often a line on which a statement begins was executed
		}
		if json.Unmarshal(raw, &process) != nil {
			return nil, UnmeasuredError("what was reported of it cannot be read")
		}
		if process.Installed == 0 {
			return nil, UnmeasuredError(why.Missing)
		}
		for name, found := range process.Files {
			file := own(name)
			for line, count := range found {
				out.Note(file, line, count > 0)
			}
		}
	}
	delete(out, "") // what is no file of the project
	return out, nil
}
