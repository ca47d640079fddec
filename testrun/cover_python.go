package testrun

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// coverPython lets our reporter start coverage.py in each process of the tests,
// if the Python that runs them has it.
func coverPython(_ context.Context, b *bench, argv []string) (covering, error) {
	folder := filepath.Join(b.reports, "coverage")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return covering{}, fmt.Errorf("make the folder of the coverage: %w", err)
	}
	return covering{
		argv: argv, env: []string{"TDD_COVERAGE=" + folder},
		read: func(_ context.Context, p *places) (reach, error) { return readPythonCoverage(folder, p) },
	}, nil
}

// pythonCoverage is what one process wrote.
type pythonCoverage struct {
	Installed bool                    `json:"installed"`
	Files     map[string]map[int]bool `json:"files"` // whether a line on which a statement begins was executed
}

// readPythonCoverage reads what the processes of a run wrote.
func readPythonCoverage(folder string, p *places) (reach, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("find the coverage: %w", err)
	}
	if len(names) == 0 {
		return nil, unmeasured("for Python it is measured where pytest or unittest runs, and neither did, or not to its end")
	}
	out := reach{}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read the coverage: %w", err)
		}
		var c pythonCoverage
		if err := json.Unmarshal(raw, &c); err != nil {
			return nil, unmeasured("what coverage.py reported cannot be read")
		}
		if !c.Installed {
			return nil, unmeasured("coverage.py is not installed for the Python that runs the tests (pip install coverage)")
		}
		out.addPython(c, p)
	}
	return out, nil
}

// addPython takes in the files of one process that belong to the project.
func (l reach) addPython(c pythonCoverage, p *places) {
	for name, found := range c.Files {
		file := p.own(name)
		if file == "" {
			continue
		}
		for line, reached := range found {
			l.note(file, line, reached)
		}
	}
}
