package testrun

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The reporters are loaded into the runners of languages that can be given one
// by the environment. They all write the same journal.
//
//go:embed reporters
var reporters embed.FS

// journalVariable tells a reporter where to write.
const journalVariable = "TDD_JOURNAL"

// installReporters writes the reporters whose names fit the pattern to a new folder
// in scratch, and returns where they are and where journals go.
func (b *bench) installReporters(pattern string) (dir, journals string, err error) {
	dir = filepath.Join(b.req.Scratch, scratchReporters)
	names, err := fs.Glob(reporters, "reporters/"+pattern)
	if err == nil {
		err = os.Mkdir(dir, 0o700)
	}
	for _, name := range names {
		text, readErr := reporters.ReadFile(name)
		err = errors.Join(err, readErr, os.WriteFile(filepath.Join(dir, filepath.Base(name)), text, 0o600))
	}
	if err != nil {
		return "", "", fmt.Errorf("install the reporters: %w", err)
	}
	return dir, b.journals, nil
}
