package gitx

import (
	"context"
	"strconv"
	"strings"
)

// FilePatch is the unified diff of one file between two trees, for reading.
type FilePatch struct {
	Path           string // the new one, unless the file is gone
	Added, Deleted int    // lines
	Text           string // its beginning, in whole lines; empty if there was no room for any
	Lines          int    // of all of it
}

// longestLine is how much of a line of a diff is kept, in bytes.
const longestLine = 1000

// Patch compares two trees, file by file, and keeps up to limit bytes of all diffs. An empty
// id is the empty tree.
func (r *Repo) Patch(ctx context.Context, before, after ID, limit int) ([]FilePatch, error) {
	text, err := r.DiffText(ctx, before, after)
	var files []FilePatch
	size, inside := 0, false // of all lines in bytes; in a hunk, where signs count
	for line := range strings.Lines(text) {
		if len(line) > longestLine {
			line = line[:longestLine] + "…\n"
		}
		both, begins := strings.CutPrefix(line, "diff --git ")
		if begins {
			files, inside = append(files, FilePatch{}), false
		}
		f := &files[len(files)-1]
		f.Lines++
		if size += len(line); size <= limit {
			f.Text += line
		}
		switch {
		case begins: // what only changes its mode, or is empty or binary, is named nowhere else
			both = strings.TrimSuffix(both, "\n")
			f.name("+++ " + both[len(both)/2+1:])
		case strings.HasPrefix(line, "@@"):
			inside = true
		case !inside:
			f.name(strings.TrimSuffix(line, "\n"))
		case line[0] == '+':
			f.Added++
		case line[0] == '-':
			f.Deleted++
		}
	}
	return files, err
}

// name reads the name of a file from the lines before its hunks.
func (f *FilePatch) name(line string) {
	for _, prefix := range []string{"--- ", "+++ ", "rename to "} {
		name, ok := strings.CutPrefix(line, prefix)
		if !ok || name == "/dev/null" {
			continue
		}
		name = strings.TrimSuffix(name, "\t") // git marks the end of a name with blanks
		if plain, err := strconv.Unquote(name); err == nil {
			name = plain
		}
		if prefix != "rename to " {
			_, name, _ = strings.Cut(name, "/") // "a/" or "b/"
		}
		f.Path = name
	}
}
