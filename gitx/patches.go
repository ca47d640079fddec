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
	var p Patch
	full, inside := false, false // nothing more is kept; in a hunk, where signs count
	for line := range strings.Lines(text) {
		if len(line) > longestLine {
			line = line[:longestLine] + "…\n"
		}
		p.Lines++
		if full = full || len(p.Text)+len(line) > limit; !full {
			p.Text += line
		}
		file := len(p.Files) - 1
		switch {
		case strings.HasPrefix(line, "diff --git "):
			inside = false
			both := strings.TrimSuffix(strings.TrimPrefix(line, "diff --git "), "\n")
			p.Files = append(p.Files, PatchFile{})
			p.Files[file+1].name("+++ " + both[len(both)/2+1:]) // what only changes its mode, or is empty or binary, is named nowhere else
		case strings.HasPrefix(line, "@@"):
			inside = true
		case !inside:
			p.Files[file].name(strings.TrimSuffix(line, "\n"))
		case line[0] == '+':
			p.Files[file].Added++
		case line[0] == '-':
			p.Files[file].Deleted++
		}
	}
	return p, err
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
