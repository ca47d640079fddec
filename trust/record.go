package trust

import (
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
	// Subject is what was approved. It is empty if the record is damaged.
	Subject Subject
	// File is the absolute path of the record.
	File string
	// Damaged says why the record does not count; empty if it does.
	Damaged string
}

// header is the first line of every record. The number grows with the format.
const header = "git-tdd trust 1"

var errFormat = errors.New("not a record of an approval")

// encode writes a subject as lines of a word and Go-quoted strings, which play no tricks on a terminal.
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

// decode reads what encode writes and refuses everything else.
func decode(data []byte) (Subject, error) {
	first, rest, _ := strings.Cut(string(data), "\n")
	if first != header {
		return Subject{}, fmt.Errorf("%w: the first line is not %q", errFormat, header)
	}
	var s Subject
	for text := range strings.Lines(rest) {
		if err := s.read(strings.TrimSuffix(text, "\n")); err != nil {
			return Subject{}, err
		}
	}
	return s, nil
}

// read adds what one line says.
func (s *Subject) read(text string) error {
	word, tail, _ := strings.Cut(text, " ")
	items, err := unquote(tail)
	if err != nil {
		return err
	}
	switch {
	case word == "command":
		s.Commands = append(s.Commands, items)
	case word == "repository" && len(items) == 1:
		s.Repository = items[0]
	case word == "endpoint" && len(items) == 1:
		s.Endpoints = append(s.Endpoints, items[0])
	case word == "key-env" && len(items) == 1:
		s.KeyEnv = append(s.KeyEnv, items[0])
	default:
		return fmt.Errorf("%w: %q", errFormat, text)
	}
	return nil
}

// unquote splits a line of quoted strings.
func unquote(text string) ([]string, error) {
	var items []string
	for text != "" {
		quoted, _ := strconv.QuotedPrefix(text) // what begins with none cannot be unquoted
		item, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, fmt.Errorf("%w: %q", errFormat, text)
		}
		items = append(items, item)
		text = strings.TrimPrefix(text[len(quoted):], " ")
	}
	return items, nil
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
