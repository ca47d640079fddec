package gitx

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The modes of tree entries.
const (
	ModeFile       = "100644"
	ModeExecutable = "100755"
	ModeSymlink    = "120000"
	ModeSubmodule  = "160000"
)

// Entry is one path of a tree.
type Entry struct {
	Path string
	Mode string
	ID   ID
}

// Entries lists a whole tree, ordered as git orders it. An empty id is the
// empty tree.
func (r *Repo) Entries(ctx context.Context, tree ID) ([]Entry, error) {
	if tree == "" {
		return nil, nil
	}
	out, err := r.ask(ctx, "ls-tree", "-r", "-z", "--full-tree", string(tree))
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for rec := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		meta, path, ok := strings.Cut(string(rec), "\t")
		fields := strings.Fields(meta)
		if !ok || len(fields) != 3 {
			continue
		}
		entries = append(entries, Entry{Path: path, Mode: fields[0], ID: ID(fields[2])})
	}
	return entries, nil
}

// Diff is one path that differs between two trees. Old or New is nil where the
// path exists on one side only; both are set, with different paths, where a
// file moved.
type Diff struct{ Old, New *Entry }

// Path is the path the difference is known by.
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
	FollowMoves Moves = "--find-renames"
	NoMoves     Moves = "--no-renames"
)

// Diff lists what differs between two trees. An empty id is the empty tree.
func (r *Repo) Diff(ctx context.Context, before, after ID, moves Moves) ([]Diff, error) {
	if before == after {
		return nil, nil
	}
	for _, tree := range []*ID{&before, &after} {
		if *tree != "" {
			continue
		}
		empty, err := r.EmptyTree(ctx)
		if err != nil {
			return nil, err
		}
		*tree = empty
	}
	out, err := r.ask(ctx, "diff-tree", "-r", "-z", "--raw", "--no-abbrev", string(moves), string(before), string(after))
	if err != nil {
		return nil, err
	}
	return parseRaw(string(out))
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

// EmptyTree is the id of the tree without entries.
func (r *Repo) EmptyTree(ctx context.Context) (ID, error) {
	out, err := r.act(ctx, call{args: []string{"mktree"}})
	return ID(strings.TrimSpace(string(out))), err
}

// WriteBlob stores content as it is, without filters, and returns its id.
func (r *Repo) WriteBlob(ctx context.Context, content []byte) (ID, error) {
	out, err := r.act(ctx, call{args: []string{"hash-object", "-w", "--no-filters", "--stdin"}, stdin: content})
	return ID(strings.TrimSpace(string(out))), err
}

// TreeEdit is one change to a tree: new content, an existing blob, or a
// deletion.
type TreeEdit struct {
	Path    string
	Mode    string // empty: the entry's own mode, or 100644
	Content []byte // new content; ignored where Blob or Delete is set
	Blob    ID
	Delete  bool
}

// WriteTree applies edits to a base tree (empty: the empty tree) and returns
// the new tree's id. Git skips paths that it will not store without failing,
// so the result is held against the intent before it is returned.
func (r *Repo) WriteTree(ctx context.Context, base ID, edits []TreeEdit) (ID, error) {
	before, err := r.Entries(ctx, base)
	if err != nil {
		return "", err
	}
	info, err := r.indexInfo(ctx, before, edits)
	if err != nil {
		return "", err
	}
	tree, err := r.treeFrom(ctx, base, info)
	if err != nil {
		return "", err
	}
	return tree, r.holdsIntent(ctx, tree, edits)
}

// indexInfo stores the blobs and renders the lines of update-index.
func (r *Repo) indexInfo(ctx context.Context, before []Entry, edits []TreeEdit) ([]byte, error) {
	modes := make(map[string]string, len(before))
	zero := "0000000000000000000000000000000000000000"
	for _, e := range before {
		modes[e.Path] = e.Mode
		zero = strings.Repeat("0", len(e.ID))
	}
	var info bytes.Buffer
	for i, e := range edits {
		if e.Delete {
			fmt.Fprintf(&info, "0 %s\t%s\x00", zero, e.Path)
			continue
		}
		if e.Blob == "" {
			id, err := r.WriteBlob(ctx, e.Content)
			if err != nil {
				return nil, err
			}
			edits[i].Blob, e.Blob = id, id
		}
		mode := firstOf(e.Mode, modes[e.Path], ModeFile)
		fmt.Fprintf(&info, "%s %s\t%s\x00", mode, e.Blob, e.Path)
	}
	return info.Bytes(), nil
}

func firstOf(values ...string) string {
	return values[slices.IndexFunc(values, func(s string) bool { return s != "" })]
}

// treeFrom builds a tree in a private index.
func (r *Repo) treeFrom(ctx context.Context, base ID, info []byte) (ID, error) {
	dir, err := r.scratch()
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	env := []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")}
	read := []string{"read-tree", "--empty"}
	if base != "" {
		read = []string{"read-tree", string(base)}
	}
	if _, err := r.act(ctx, call{args: read, env: env}); err != nil {
		return "", err
	}
	if _, err := r.act(ctx, call{args: []string{"update-index", "-z", "--index-info"}, stdin: info, env: env}); err != nil {
		return "", err
	}
	out, err := r.act(ctx, call{args: []string{"write-tree"}, env: env})
	return ID(strings.TrimSpace(string(out))), err
}

// scratch makes a temporary folder beside the locks, on the same file system.
func (r *Repo) scratch() (string, error) {
	if err := os.MkdirAll(r.StateDir(), 0o750); err != nil {
		return "", fmt.Errorf("make git-tdd's folder in the git directory: %w", err)
	}
	dir, err := os.MkdirTemp(r.StateDir(), "tmp-")
	if err != nil {
		return "", fmt.Errorf("make a temporary folder: %w", err)
	}
	return dir, nil
}

// holdsIntent compares a tree with the edits that should have made it.
func (r *Repo) holdsIntent(ctx context.Context, tree ID, edits []TreeEdit) error {
	after, err := r.Entries(ctx, tree)
	if err != nil {
		return err
	}
	have := make(map[string]ID, len(after))
	for _, e := range after {
		have[e.Path] = e.ID
	}
	for _, e := range edits {
		id, ok := have[e.Path]
		if e.Delete == ok || (!e.Delete && id != e.Blob) {
			return fmt.Errorf("git would not store %q as asked; is it a path that git accepts?", e.Path)
		}
	}
	return nil
}
