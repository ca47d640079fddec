package coverage

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// process is what one process wrote.
type process struct {
	Installed int                    `json:"installed"` // whether it could measure at all
	Files     map[string]map[int]int `json:"files"`     // how often a line on which a statement begins was executed
}

// ReadReported reads what the processes of a run wrote.
func ReadReported(folder string, own func(string) string, words map[string]string) (Lines, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("find the coverage: %w", err)
	}
	if len(names) == 0 {
		return nil, Unmeasured(words["silent"])
	}
	out := Lines{}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read the coverage: %w", err)
		}
		var c process
		if err := json.Unmarshal(raw, &c); err != nil {
			return nil, Unmeasured("what was reported of it cannot be read")
		}
		if c.Installed == 0 {
			return nil, Unmeasured(words["missing"])
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
