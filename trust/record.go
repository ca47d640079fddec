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

// Record is one file of a store, for people to look at.
type Record struct {
	Repository string // that was approved; empty if the record is damaged
	File       string // the absolute path of the record
	Damaged    string // why the record does not count; empty if it does
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
	quoted, ours := strings.CutPrefix(string(data), header+"\nrepository ")
	if !ours || sum(data) != filepath.Base(path) {
		record.Damaged = "it is no record of an approval, or what it says does not hash to its name"
		return record, nil
	}
	quoted, _, _ = strings.Cut(quoted, "\n")
	record.Repository, err = strconv.Unquote(quoted)
	return record, err
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
