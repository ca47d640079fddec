package coverage

import (
	"encoding/json"
	"fmt"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

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
