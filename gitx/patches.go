package gitx

import (
	"context"
	"strconv"
	"strings"
)

// Patch is a unified diff between two trees, for reading.
type Patch struct {
	Text  string // its beginning, in whole lines
	Lines int    // of all of it
	Files []PatchFile
}

// PatchFile is one file in a patch.
type PatchFile struct {
	Path           string // the new one, unless the file is gone
	Added, Deleted int    // lines
}

// longestLine is how much of a line of a diff is kept, in bytes.
const longestLine = 1000

// Patch compares two trees, and keeps up to limit bytes of their diff. An empty id is the empty
// tree.
func (r *Repo) Patch(ctx context.Context, before, after ID, limit int) (Patch, error) {
	text, err := r.DiffText(ctx, before, after)
	at := patchReader{limit: limit}
	for line := range strings.Lines(text) {
		if len(line) > longestLine {
			line = line[:longestLine] + "…\n"
		}
		at.read(line)
	}
	return at.Patch, err
}

// patchReader reads one patch line by line.
type patchReader struct {
	Patch

	limit        int
	full, inside bool // nothing more is kept; in a hunk, where signs count
}

func (r *patchReader) read(line string) {
	r.Lines++
	if r.full = r.full || len(r.Text)+len(line) > r.limit; !r.full {
		r.Text += line
	}
	file := len(r.Files) - 1
	switch {
	case strings.HasPrefix(line, "diff --git "):
		r.inside = false
		r.Files = append(r.Files, PatchFile{})
	case strings.HasPrefix(line, "@@"):
		r.inside = true
	case file < 0:
	case !r.inside:
		r.Files[file].name(strings.TrimSuffix(line, "\n"))
	case line[0] == '+':
		r.Files[file].Added++
	case line[0] == '-':
		r.Files[file].Deleted++
	}
}

// name reads the name of a file from the lines before its hunks.
func (f *PatchFile) name(line string) {
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
