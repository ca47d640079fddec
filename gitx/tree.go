package gitx

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The modes of tree entries.
const (
	ModeFile       = "100644"
	ModeExecutable = "100755"
	ModeSymlink    = "120000"
	ModeSubmodule  = "160000"
	ModeFolder     = "40000" // in what Folder lists
)

// Entry is one path of a tree.
type Entry struct {
	Path string
	Mode string
	ID   ID
}

// Entries lists a whole tree, ordered as git orders it. An empty id is the empty tree.
func (r *Repo) Entries(ctx context.Context, tree ID) ([]Entry, error) {
	return r.appendEntries(ctx, nil, tree, "")
}

// Diff is one path that differs between two trees. Old or New is nil if the path exists on one
// side only; if a file moved, both are set, with different paths.
type Diff struct{ Old, New *Entry }

// Path is the path by which the difference is known.
func (d Diff) Path() string {
	if d.New != nil {
		return d.New.Path
	}
	return d.Old.Path
}

// Diff lists what differs between two trees. An empty id is the empty tree. A file that moved
// is gone in one place and new in the other.
func (r *Repo) Diff(ctx context.Context, before, after ID) ([]Diff, error) {
	if before == after {
		return nil, nil
	}
	return r.appendDiffs(ctx, nil, [2]ID{before, after}, "")
}

// DiffMoved is Diff where a file that moved is one difference. Git finds those files, and is
// asked only if there can be any: if some were deleted and some were added.
func (r *Repo) DiffMoved(ctx context.Context, before, after ID) ([]Diff, error) {
	diffs, err := r.Diff(ctx, before, after)
	came, gone := false, map[string]*Entry{}
	for _, d := range diffs {
		came = came || d.Old == nil
		if d.New == nil {
			gone[d.Old.Path] = d.Old
		}
	}
	if err != nil || !came || len(gone) == 0 {
		return diffs, err
	}
	out, err := r.diffTree(ctx, before, after, nil, "-z", "--name-status", "--find-renames", "--diff-filter=R")
	from := map[string]*Entry{} // by the path to which it moved
	for move := range slices.Chunk(strings.Split(string(out), "\x00"), 3) {
		if len(move) == 3 { // how alike both are, the old path, the new one
			from[move[2]] = gone[move[1]]
			delete(gone, move[1])
		}
	}
	for i, d := range diffs {
		if d.Old == nil {
			diffs[i].Old = from[d.New.Path]
		}
	}
	return slices.DeleteFunc(diffs, func(d Diff) bool { return d.New == nil && gone[d.Old.Path] == nil }), err
}

// DiffText is a unified diff between two trees, perhaps of some paths only. An empty id is the empty tree.
func (r *Repo) DiffText(ctx context.Context, before, after ID, paths ...string) (string, error) {
	only := []string{"--"}
	for _, p := range paths {
		only = append(only, ":(top,literal)"+p)
	}
	out, err := r.diffTree(ctx, before, after, only, "--patch", "--find-renames", "--no-color")
	return string(out), err
}

// diffTree compares two trees, on every machine alike, whatever its configuration.
func (r *Repo) diffTree(ctx context.Context, before, after ID, paths []string, options ...string) ([]byte, error) {
	if before == after {
		return nil, nil
	}
	empty := objectID("tree", nil, len(cmp.Or(before, after)))
	args := append([]string{"diff-tree", "-r", "--ignore-submodules=none", "-l1000", "--no-ext-diff", "--no-textconv"}, options...)
	return r.ask(ctx, slices.Concat(args, []string{string(cmp.Or(before, empty)), string(cmp.Or(after, empty))}, paths)...)
}

// WriteBlob stores content as it is, without filters, and returns its id.
func (r *Repo) WriteBlob(ctx context.Context, content []byte) (ID, error) {
	return oneID(r.act(ctx, call{args: []string{"hash-object", "-w", "--no-filters", "--stdin"}, stdin: content}))
}

// Mentioning lists the files of a tree whose text has one of some words, whole.
// Binary files have none. It costs about as much as reading the tree once.
func (r *Repo) Mentioning(ctx context.Context, tree ID, words ...string) ([]string, error) {
	if tree == "" || len(words) == 0 {
		return nil, nil
	}
	args := []string{"grep", "-l", "-z", "-I", "-F", "-w", "--no-color", "--no-recurse-submodules", "--no-textconv", "--full-name"}
	for _, w := range words {
		args = append(args, "-e", w)
	}
	out, err := r.find(ctx, append(args, string(tree), "--")...)
	if err != nil {
		return nil, fmt.Errorf("search %s for %q: %w", tree, words, err)
	}
	var paths []string
	for name := range strings.SplitSeq(string(out), "\x00") {
		if path, ok := strings.CutPrefix(name, string(tree)+":"); ok {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

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
