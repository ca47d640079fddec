package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/wholefile"
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

// header is the first line of every record. The number grows with the format.
const header = "git-tdd trust 2"

// encode writes a subject as lines of a word and Go-quoted strings, which play no tricks on a
// terminal. Different subjects never give the same text.
func encode(s Subject) []byte {
	var b strings.Builder
	b.WriteString(header + "\n")
	line(&b, "repository", s.Repository)
	for _, command := range s.Commands {
		line(&b, "command", command...)
	}
	for _, url := range s.Endpoints {
		line(&b, "endpoint", url)
	}
	for _, name := range s.KeyEnv {
		line(&b, "key-env", name)
	}
	return []byte(b.String())
}

func line(b *strings.Builder, word string, items ...string) {
	b.WriteString(word)
	for _, s := range items {
		b.WriteString(" " + strconv.Quote(s))
	}
	b.WriteString("\n")
}

// sum is the name of a record by its text.
func sum(record []byte) string {
	hash := sha256.Sum256(record)
	return hex.EncodeToString(hash[:])
}

// load reads one record; empty if it is none that hashes to its name. The error is for an unreadable file.
func load(path string) (record string, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return "", fmt.Errorf("look at the approval: %w", err)
	}
	if !info.Mode().IsRegular() { // a pipe would block, and a link could lead anywhere
		return "", nil
	}
	data, err := wholefile.ReadUpTo(path, maxRecord)
	if err != nil {
		return "", fmt.Errorf("read the approval: %w", err)
	}
	if sum(data) != filepath.Base(path) {
		return "", nil
	}
	return string(data), nil
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
