package gitx

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// TreeEdit is one change to a tree: new content, an existing blob, or a deletion.
type TreeEdit struct {
	Path    string
	Mode    string // empty: the entry's own mode, or 100644
	Content []byte // new content; ignored if Blob or Delete is set
	Blob    ID
	Delete  bool
}

// WriteTree applies edits to a base tree (empty: the empty tree), without the user's index;
// without edits, it is the base. Git skips paths that it will not store without an error, and
// replaces a file by a folder of the same name, so the result is compared with the intent.
func (r *Repo) WriteTree(ctx context.Context, base ID, edits []TreeEdit) (ID, error) {
	if len(edits) == 0 && base != "" {
		return base, nil
	}
	entries, err := r.Entries(ctx, base)
	if err != nil {
		return "", err
	}
	want := make(map[string]Entry, len(entries))
	for _, e := range entries {
		want[e.Path] = e
	}
	var info bytes.Buffer
	for _, e := range edits {
		if err := r.plan(ctx, e, want, &info); err != nil {
			return "", err
		}
	}
	tree, err := r.treeFrom(ctx, base, info.Bytes())
	if err != nil {
		ids := []ID{base}
		for _, e := range edits {
			ids = append(ids, want[e.Path].ID)
		}
		return "", r.orMissing(ctx, err, ids...)
	}
	return tree, r.holds(ctx, tree, want)
}

// plan adds an edit to the wanted tree and to the lines for update-index, and stores its content.
func (r *Repo) plan(ctx context.Context, e TreeEdit, want map[string]Entry, info *bytes.Buffer) error {
	if strings.Contains(e.Path, "\x00") {
		return fmt.Errorf("the path %q holds a NUL", e.Path)
	}
	old, there := want[e.Path]
	if e.Delete && !there {
		return noFolder(e.Path, want)
	}
	if e.Delete {
		info.WriteString(old.indexRemoval())
		delete(want, e.Path)
		return nil
	}
	entry := Entry{Path: e.Path, Mode: cmp.Or(e.Mode, old.Mode, ModeFile), ID: e.Blob}
	if entry.ID == "" {
		var err error
		if entry.ID, err = r.WriteBlob(ctx, e.Content); err != nil {
			return err
		}
	}
	info.WriteString(entry.indexLine())
	want[e.Path] = entry
	return nil
}

// noFolder refuses to delete a folder; to delete a missing file does nothing.
func noFolder(name string, want map[string]Entry) error {
	for other := range want {
		if strings.HasPrefix(other, name+"/") {
			return fmt.Errorf("%s is a folder; delete its files one by one", name)
		}
	}
	return nil
}

// treeFrom builds a tree in a private index.
func (r *Repo) treeFrom(ctx context.Context, base ID, info []byte) (ID, error) {
	dir, err := r.scratch()
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	env := []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")}
	act := func(stdin []byte, args ...string) (ID, error) {
		// A split or sparse index would write to other files, or leave entries out.
		plain := []string{"-c", "core.splitIndex=false", "-c", "core.sparseCheckout=false"}
		return oneID(r.act(ctx, call{args: append(plain, args...), stdin: stdin, env: env, writes: true}))
	}
	if _, err := act(nil, "read-tree", cmp.Or(string(base), "--empty")); err != nil {
		return "", err
	}
	if _, err := act(info, "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	return act(nil, "write-tree")
}

// scratch makes a temporary folder next to the locks, on the same file system.
func (r *Repo) scratch() (string, error) {
	if err := r.makeStateDir(); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(r.StateDir(), "tmp-")
	if err != nil {
		return "", fmt.Errorf("make a temporary folder: %w", err)
	}
	return dir, nil
}

// holds compares a tree with what was wanted.
func (r *Repo) holds(ctx context.Context, tree ID, want map[string]Entry) error {
	have, err := r.Entries(ctx, tree)
	if err != nil {
		return err
	}
	for _, e := range have {
		if want[e.Path] != e {
			return fmt.Errorf("git stored %q other than asked (%s %s)", e.Path, e.Mode, e.ID.Short())
		}
		delete(want, e.Path)
	}
	for name := range want {
		return fmt.Errorf("git would not store %q; is it a path that git accepts, and is no file or folder of that name in the way?", name)
	}
	return nil
}
