package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Subject is everything that one approval covers. Order matters everywhere:
// which key belongs to which endpoint is part of what a person agrees to.
type Subject struct {
	// Repository is the root of the repository, found by the caller's own search and never from
	// a file in it, such as a .git file or commondir, which can point to another, approved one.
	// Symbolic links in it are resolved here.
	Repository string
	// Commands has each command that may run, in a fixed order: its name ("fmt", "check",
	// "test", "setup"), then the command line.
	Commands [][]string
	// Endpoints has the base URLs of the models.
	Endpoints []string
	// KeyEnv has the names of the variables whose values are sent as keys.
	KeyEnv []string
}

// ErrRepository says that a subject does not name an existing directory.
var ErrRepository = errors.New("the repository is not an existing directory")

// canonical returns the subject with the canonical path of its repository.
func (s Subject) canonical() (Subject, error) {
	path, err := resolve(s.Repository)
	if err != nil {
		return Subject{}, err
	}
	switch info, err := os.Stat(path); {
	case err != nil:
		return Subject{}, fmt.Errorf("%w: %w", ErrRepository, err)
	case !info.IsDir():
		return Subject{}, fmt.Errorf("%w: %q is a file", ErrRepository, path)
	}
	s.Repository = path
	return s, nil
}

// resolve makes a path absolute and follows its symbolic links.
func resolve(path string) (string, error) {
	if path == "" {
		return "", fmt.Errorf("%w: its path is empty", ErrRepository)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("find where %q lies: %w", path, err)
	}
	real, err := filepath.EvalSymlinks(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w: %w", ErrRepository, err)
	}
	if err != nil {
		return "", fmt.Errorf("follow the symbolic links of %q: %w", abs, err)
	}
	return real, nil
}
