package loop

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// journal writes plans and logs below .tdd/, which nothing reads to decide.
type journal struct{ top string }

// journalDir is the folder of the journal in the working tree.
const journalDir = ".tdd"

// write writes one file below .tdd/. No link leads out of it.
func (j journal) write(name, content string) error {
	dir, err := j.begin()
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()
	if err := dir.MkdirAll(path.Dir(name), 0o750); err != nil {
		return fmt.Errorf("make .tdd/%s: %w", path.Dir(name), err)
	}
	return replace(dir, name, content)
}

// begin opens .tdd/ and has git ignore it.
func (j journal) begin() (*os.Root, error) {
	dir, err := j.open()
	if err != nil {
		return nil, err
	}
	if _, err = dir.Lstat(".gitignore"); errors.Is(err, fs.ErrNotExist) {
		err = replace(dir, ".gitignore", "*\n")
	}
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return dir, nil
}

// open opens .tdd/ itself, and not anything that it may point to.
func (j journal) open() (*os.Root, error) {
	top, err := os.OpenRoot(j.top)
	if err != nil {
		return nil, fmt.Errorf("open the working tree: %w", err)
	}
	defer func() { _ = top.Close() }()
	if err := top.Mkdir(journalDir, 0o750); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("make .tdd: %w", err)
	}
	if here, err := top.Lstat(journalDir); err != nil || !here.IsDir() {
		return nil, errors.Join(err, errors.New("look at .tdd: a journal is written into a folder of that name only"))
	}
	dir, err := top.OpenRoot(journalDir)
	if err != nil {
		return nil, fmt.Errorf("open .tdd: %w", err)
	}
	return dir, nil
}

func replace(dir *os.Root, name, content string) error {
	fresh := name + ".new"
	err := dir.Remove(fresh) // left by a killed run
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = dir.WriteFile(fresh, []byte(content), 0o600)
	}
	if err == nil {
		err = dir.Rename(fresh, name)
	}
	if err != nil {
		return fmt.Errorf("write .tdd/%s: %w", name, err)
	}
	return nil
}

func (j journal) save(log *stepLog) error {
	data, err := json.MarshalIndent(log, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the log of step %d: %w", log.Step, err)
	}
	return j.write(fmt.Sprintf("logs/step-%d-%s.json", log.Step, log.Role), string(data)+"\n")
}

// pointsText are the points of a review in Markdown.
func pointsText(r reviewResult) string {
	var out strings.Builder
	if r.unread != "" {
		fmt.Fprintf(&out, "\nNo answer could be read: %s\n", r.unread)
	}
	list := func(title string, items []string) {
		if len(items) > 0 {
			fmt.Fprintf(&out, "\n%s:\n\n- %s\n", title, strings.Join(items, "\n- "))
		}
	}
	var points []string
	for _, p := range r.founded {
		text := fmt.Sprintf("`%s:%d` (%s", p.File, p.Line, p.Kind)
		if p.Criterion > 0 {
			text += fmt.Sprintf(", criterion %d", p.Criterion)
		}
		points = append(points, text+"): "+strings.Join(strings.Fields(p.Reason), " "))
	}
	list("Points, each with evidence that is there", points)
	list("Ignored, because their evidence is not there", r.others)
	return out.String()
}
