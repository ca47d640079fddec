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

// Moves says whether Diff looks for files that moved.
type Moves string

// What Diff does about files that moved.
const (
	FollowMoves Moves = "follow"
	NoMoves     Moves = "none"
)

// Diff lists what differs between two trees. An empty id is the empty tree. Git is asked only
// if a file can have moved: if some were deleted and some were added.
func (r *Repo) Diff(ctx context.Context, before, after ID, moves Moves) ([]Diff, error) {
	if before == after {
		return nil, nil
	}
	diffs, err := r.appendDiffs(ctx, nil, [2]ID{before, after}, "")
	came := slices.ContainsFunc(diffs, func(d Diff) bool { return d.Old == nil })
	went := slices.ContainsFunc(diffs, func(d Diff) bool { return d.New == nil })
	if err != nil || moves == NoMoves || !came || !went {
		return diffs, err
	}
	out, err := r.diffTree(ctx, before, after, nil, "-z", "--raw", "--no-abbrev", "--find-renames")
	if err != nil {
		return nil, err
	}
	return parseRaw(string(out))
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

// parseRaw reads `diff-tree -z --raw`: a record of ":modes ids status",
// followed by one path, or by two for a rename or a copy.
func parseRaw(out string) ([]Diff, error) {
	var diffs []Diff
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		meta := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(meta) != 5 {
			return nil, fmt.Errorf("git diff-tree: unexpected record %q", fields[i])
		}
		before := &Entry{Path: fields[i+1], Mode: meta[0], ID: ID(meta[2])}
		after := &Entry{Path: fields[i+1], Mode: meta[1], ID: ID(meta[3])}
		switch meta[4][0] {
		case 'R', 'C':
			if i+2 >= len(fields) {
				return nil, fmt.Errorf("git diff-tree: a rename of %q without its new path", fields[i+1])
			}
			after.Path = fields[i+2]
			i++
		case 'A':
			before = nil
		case 'D':
			after = nil
		}
		diffs = append(diffs, Diff{Old: before, New: after})
	}
	return diffs, nil
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
