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
	return coverByReporter(b, argv, map[string]string{
		"missing": "coverage.py is not installed for the Python that runs the tests (pip install coverage)",
		"silent":  "for Python it is measured where pytest or unittest runs, and neither did, or not to its end",
	})
}

// coverRuby lets our reporter start Ruby's own coverage in each process of the
// tests.
func coverRuby(_ context.Context, b *bench, argv []string) (covering, error) {
	return coverByReporter(b, argv, map[string]string{
		"silent": "for Ruby it is measured where minitest or RSpec runs, and neither did, or not to its end",
	})
}

// coverByReporter lets a reporter of ours write the coverage of its process. The words
// say why there is none.
func coverByReporter(b *bench, argv []string, words map[string]string) (covering, error) {
	folder := filepath.Join(b.reports, "coverage")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return covering{}, fmt.Errorf("make the folder of the coverage: %w", err)
	}
	return covering{
		argv: argv, env: []string{"TDD_COVERAGE=" + folder},
		read: func(_ context.Context, p *places) (reach, error) { return readReported(folder, p, words) },
	}, nil
}

// reportedCoverage is what one process wrote.
type reportedCoverage struct {
	Installed int                    `json:"installed"` // whether it could measure at all
	Files     map[string]map[int]int `json:"files"`     // how often a line on which a statement begins was executed
}

// readReported reads what the processes of a run wrote.
func readReported(folder string, p *places, words map[string]string) (reach, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("find the coverage: %w", err)
	}
	if len(names) == 0 {
		return nil, unmeasured(words["silent"])
	}
	out := reach{}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read the coverage: %w", err)
		}
		var c reportedCoverage
		if err := json.Unmarshal(raw, &c); err != nil {
			return nil, unmeasured("what was reported of it cannot be read")
		}
		if c.Installed == 0 {
			return nil, unmeasured(words["missing"])
		}
		out.addReported(c, p)
	}
	return out, nil
}

// addReported takes in the files of one process that belong to the project.
func (l reach) addReported(c reportedCoverage, p *places) {
	for name, found := range c.Files {
		file := p.own(name)
		if file == "" {
			continue
		}
		for line, count := range found {
			l.note(file, line, count > 0)
		}
	}
}
