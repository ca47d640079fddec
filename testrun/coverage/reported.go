package coverage

import (
	"encoding/json"
	"fmt"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

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
	names := wholefile.Matching(folder, "*.json")
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
		for name, found := range c.Files {
			out.counted(own(name), found)
		}
	}
	return out, nil
}

// counted takes in how often the lines of a file were executed; of no file of the project, nothing.
func (l Lines) counted(file string, found map[int]int) {
	for line, count := range found {
		if file != "" {
			l.Note(file, line, count > 0)
		}
	}
}
