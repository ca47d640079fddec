package gitx

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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
