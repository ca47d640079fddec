package agenthook

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/agents/presets"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// State says how an agent stands in a repository.
type State string

// The states of an agent.
const (
	Installed State = "installed"
	Partly    State = "partly" // something is missing, or of another version
	Absent    State = "absent"
)

// Change is what is to be done to one file.
type Change struct {
	Path   string `json:"path"` // relative to the top of the working tree
	Before string `json:"-"`
	After  string `json:"-"` // empty: the file is to go
	// Remedy says what to do by hand where nothing can be done.
	Remedy string `json:"remedy,omitempty"`
}

// Does reports whether a change changes anything.
func (c Change) Does() bool { return c.Remedy == "" && c.Before != c.After }

// Agent is how one agent stands in a repository.
type Agent struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	State   State    `json:"state"`
	Program string   `json:"program,omitempty"` // where its program is; empty if it is not on the PATH
	Used    bool     `json:"used"`              // its folder is in this repository
	Note    string   `json:"note,omitempty"`
	Changes []Change `json:"changes,omitempty"` // what installing it would do
}

// Site is a working tree in which agents work.
type Site struct{ Top string }

// sharedFiles are read by several agents; they come with the first one.
func sharedFiles() ([]presets.Placed, error) {
	block, err := presets.Content("agents.md")
	return []presets.Placed{
		{Path: ".agents/skills/git-tdd/SKILL.md", Text: "skill.md"},
		{Path: "AGENTS.md", Block: &presets.Block{Lines: strings.Split(strings.TrimSpace(block), "\n")}},
	}, err
}

// Look says how an agent stands.
func (s Site) Look(p presets.Preset) (Agent, error) {
	a := Agent{Name: p.Name, Title: p.Title, Note: p.Note, State: Partly}
	if program, err := exec.LookPath(p.Program); err == nil {
		a.Program = program
	}
	_, err := os.Lstat(filepath.Join(s.Top, filepath.FromSlash(p.Folder)))
	a.Used = err == nil
	changes, err := s.changes(p.Files, installed)
	if err != nil {
		return a, err
	}
	gone, err := s.changes(p.Files, removed)
	switch {
	case err != nil:
		return a, err
	case !slices.ContainsFunc(changes, func(c Change) bool { return c.Before != c.After || c.Remedy != "" }):
		a.State = Installed
	case !slices.ContainsFunc(gone, Change.Does):
		a.State = Absent
	}
	a.Changes = changes
	return a, nil
}

// Install is what is to be done to install some agents.
func (s Site) Install(all []presets.Preset) ([]Change, error) {
	files, err := sharedFiles()
	if err != nil {
		return nil, err
	}
	return s.changes(append(filesOf(all), files...), installed)
}

// Uninstall is what is to be done to take some agents out; the last one takes what they share.
func (s Site) Uninstall(all, rest []presets.Preset) ([]Change, error) {
	shared, err := sharedFiles()
	for _, p := range rest {
		a, err2 := s.Look(p)
		if err = errors.Join(err, err2); a.State != Absent {
			shared = nil
		}
	}
	if err != nil {
		return nil, err
	}
	return s.changes(append(filesOf(all), shared...), removed)
}

func filesOf(all []presets.Preset) (files []presets.Placed) {
	for _, p := range all {
		files = append(files, p.Files...)
	}
	return files
}

// changes asks of each file what is to become of it.
func (s Site) changes(files []presets.Placed, become func(presets.Placed, string) (string, error)) ([]Change, error) {
	var out []Change
	for _, f := range files {
		c := Change{Path: f.Path}
		text, err := s.read(f.Path)
		if err == nil {
			c.Before = text
			c.After, err = asItsLines(text, func(text string) (string, error) { return become(f, text) })
		}
		if by, ok := errors.AsType[*byHandError](err); ok {
			c.Remedy, c.After, err = by.remedy, c.Before, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
		out = append(out, c)
	}
	return out, nil
}

// asItsLines changes a text with CRLF in all lines as one with LF, so that new lines end as the others.
func asItsLines(text string, change func(string) (string, error)) (string, error) {
	lines := strings.Count(text, "\n")
	if lines == 0 || strings.Count(text, "\r\n") != lines {
		return change(text)
	}
	after, err := change(strings.ReplaceAll(text, "\r\n", "\n"))
	return strings.ReplaceAll(after, "\n", "\r\n"), err
}

// byHandError says that only a person can change a file, and how.
type byHandError struct{ remedy string }

func (e *byHandError) Error() string { return e.remedy }

// read is the text of a file; empty if there is none. What a link leads to is left alone.
func (s Site) read(path string) (string, error) {
	for at := path; at != "."; at = filepath.ToSlash(filepath.Dir(at)) {
		fi, err := os.Lstat(filepath.Join(s.Top, filepath.FromSlash(at)))
		if err == nil && fi.Mode()&fs.ModeSymlink != 0 {
			return "", &byHandError{at + " is a symbolic link, and what it leads to is left alone"}
		}
	}
	data, err := wholefile.Read(filepath.Join(s.Top, filepath.FromSlash(path)))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(data), err
}

// installed is a file's text with what is ours.
func installed(f presets.Placed, text string) (string, error) {
	switch {
	case f.JSON != nil:
		return installedJSON(f, text)
	case f.Block != nil:
		if key, ok := sets(text, *f.Block); ok {
			return "", &byHandError{fmt.Sprintf("it sets %s already: make it read as in %q", key, f.Block.Lines)}
		}
		return withBlock(text, *f.Block), nil
	}
	whole, err := presets.Content(f.Text)
	if err == nil && text != "" && !ours(text) {
		return "", &byHandError{"it is somebody else's file: rename it, then install again"}
	}
	return whole, err
}

func installedJSON(f presets.Placed, text string) (string, error) {
	if strings.TrimSpace(text) == "" {
		text = "{}\n"
	}
	merged, err := mergeJSON([]byte(text), f.JSON)
	if err != nil {
		wanted := merger{unit: "  "}.value(f.JSON, 0).String()
		return "", &byHandError{fmt.Sprintf("it cannot be read as JSON (%v); add by hand: %s", err, strings.Join(strings.Fields(wanted), " "))}
	}
	if string(merged) == text {
		return text, nil
	}
	without, err := withoutOurs([]byte(text))
	if err == nil {
		merged, err = mergeJSON(without, f.JSON)
	}
	return string(merged), err
}

// removed is a file's text without what is ours.
func removed(f presets.Placed, text string) (string, error) {
	switch {
	case text == "":
		return "", nil
	case f.JSON != nil:
		without, err := withoutOurs([]byte(text))
		if err != nil {
			return "", &byHandError{"it cannot be read as JSON; take out what calls git tdd agent-hook by hand"}
		}
		if string(without) != text && (same(without, map[string]any{}) || same(without, map[string]any{"version": 1})) {
			return "", nil // nothing but ours was in it
		}
		return string(without), nil
	case f.Block != nil:
		return withoutBlock(text, *f.Block), nil
	case ours(text):
		return "", nil
	}
	return text, nil
}

// ours reports whether a whole file is ours, of whatever version.
func ours(text string) bool { return strings.Contains(text, "Written by `git tdd agents install`") }

// Apply makes the changes.
func (s Site) Apply(changes []Change) error {
	for _, c := range changes {
		if !c.Does() {
			continue
		}
		if err := s.write(c); err != nil {
			return fmt.Errorf("%s: %w", c.Path, err)
		}
	}
	return nil
}

func (s Site) write(c Change) error {
	name := filepath.Join(s.Top, filepath.FromSlash(c.Path))
	if c.After == "" {
		return s.remove(name)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil { //nolint:gosec // a folder of the project
		return err
	}
	mode := fs.FileMode(0o644)
	if fi, err := os.Stat(name); err == nil {
		mode = fi.Mode().Perm()
	}
	have, err := wholefile.Read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) || !bytes.Equal(have, []byte(c.Before)) {
		return errors.Join(err, errors.New("it has changed meanwhile; try again"))
	}
	return os.WriteFile(name, []byte(c.After), mode)
}

// remove takes a file away, and the folders that are empty then.
func (s Site) remove(name string) error {
	if err := os.Remove(name); err != nil {
		return err
	}
	for dir := filepath.Dir(name); dir != s.Top && os.Remove(dir) == nil; {
		dir = filepath.Dir(dir)
	}
	return nil
}
