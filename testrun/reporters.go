package testrun

import (
	"bytes"
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

// installReporters sees to it that the reporters whose names fit the pattern are
// in scratch, and nothing beside them, and returns where they are and where
// journals go. Those of an earlier run are used again if they are what they
// were: files that come and go in every run are dear.
func (b *bench) installReporters(pattern string) (dir, journals string, err error) {
	dir = filepath.Join(b.req.Scratch, "reporters")
	files, err := reporterTexts(pattern)
	if err == nil && !holds(dir, files) {
		err = errors.Join(b.discard(dir), writeReporters(dir, files))
	}
	if err != nil {
		return "", "", fmt.Errorf("install the reporters: %w", err)
	}
	return dir, b.journals, nil
}

// reporterTexts are the reporters whose names fit the pattern.
func reporterTexts(pattern string) (map[string][]byte, error) {
	names, err := fs.Glob(reporters, "reporters/"+pattern)
	if err != nil {
		return nil, err
	}
	out := make(map[string][]byte, len(names))
	for _, name := range names {
		if out[filepath.Base(name)], err = reporters.ReadFile(name); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// holds reports whether a folder has these files and nothing else. Tests may have
// written there since.
func holds(dir string, files map[string][]byte) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return false
	}
	there, err := os.ReadDir(dir)
	if err != nil || len(there) != len(files) {
		return false
	}
	for _, entry := range there {
		text, known := files[entry.Name()]
		info, err := entry.Info()
		if !known || err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(text)) {
			return false
		}
		got, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil || !bytes.Equal(got, text) {
			return false
		}
	}
	return true
}

// discard takes a folder away to where all is removed that a run leaves, even
// what may not be written to.
func (b *bench) discard(dir string) error {
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.IsDir() {
		err = os.Chmod(dir, 0o700) //nolint:gosec // a folder must be writable to be moved
	}
	if err != nil {
		return err
	}
	return os.Rename(dir, filepath.Join(b.reports, "discarded"))
}

// writeReporters writes the files of a folder that is not there yet.
func writeReporters(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}
