package testrun

import (
	"errors"
	"io/fs"
	"os"
)

// WithFile opens a file for use; one that does not exist is skipped.
func WithFile(path string, use func(*os.File) error) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	return use(f)
}
