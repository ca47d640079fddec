package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// load reads one record. Its content is checked, not believed; the error is for an unreadable file.
func load(path string) (Record, error) {
	record := Record{File: path}
	info, err := os.Lstat(path)
	if err != nil {
		return record, fmt.Errorf("look at the approval: %w", err)
	}
	if !info.Mode().IsRegular() { // a pipe would block, and a link could lead anywhere
		record.Damaged = "it is not a regular file"
		return record, nil
	}
	data, err := wholefile.ReadUpTo(path, maxRecord)
	if err != nil {
		return record, fmt.Errorf("read the approval: %w", err)
	}
	subject, err := decode(data)
	switch {
	case err != nil:
		record.Damaged = err.Error()
	case subject.sum() != filepath.Base(path):
		record.Damaged = "what it says does not hash to its name"
	default:
		record.Subject = subject
	}
	return record, nil
}

// root is the directory that a repository owns: what is beside a .git directory, too.
func root(repository string) string {
	if filepath.Base(repository) == ".git" {
		return filepath.Dir(repository)
	}
	return repository
}

// within reports whether dir, which need not exist, is parent or lies in it. Identity decides,
// not names: a link or a file system that ignores case can hide none.
func within(dir, parent string) (bool, error) {
	top, err := os.Stat(parent)
	if err != nil {
		return false, fmt.Errorf("look at the repository: %w", err)
	}
	dir, err = existing(dir)
	if err != nil {
		return false, err
	}
	for ; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		switch {
		case err != nil:
			return false, fmt.Errorf("look at the store of approvals: %w", err)
		case os.SameFile(info, top):
			return true, nil
		case filepath.Dir(dir) == dir:
			return false, nil
		}
	}
}

// existing is dir or its nearest existing parent, with links resolved; a dangling link is refused.
func existing(dir string) (string, error) {
	for {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return real, nil
		}
		if _, missing := os.Lstat(dir); missing == nil || !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("follow the path of the store of approvals: %w", err)
		}
		dir = filepath.Dir(dir)
	}
}
