// Package wholefile reads and writes whole files: a file is replaced so that nobody ever
// reads half of one, and what is no file is neither replaced nor waited for.
package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Write makes a file have this content and mode. Whoever reads it meanwhile sees the old content or
// the new, and after an error the old one is there. A symbolic link in the file's place is
// replaced, not followed. Its folder must exist. For a place that a person named there is [Put].
func Write(name string, content []byte, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".git-tdd-*.tmp")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Chmod(mode), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", name, err), os.Remove(f.Name()))
	}
	return nil
}

// Matching lists what matches patterns in a folder, whose own name is no pattern. A pattern that is
// malformed matches nothing.
func Matching(folder string, patterns ...string) (found []string) {
	for _, pattern := range patterns {
		names, _ := fs.Glob(os.DirFS(folder), pattern)
		for _, name := range names {
			found = append(found, filepath.Join(folder, name))
		}
	}
	return found
}
