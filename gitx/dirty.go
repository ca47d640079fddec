package gitx

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // git's object format, not a choice of ours
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// State says how the user's copy of a path stands to a tree entry.
type State string

// The states of a path in the working tree and the index.
const (
	Clean     State = ""                     // as in the tree
	Modified  State = "modified"             // other content in the working tree
	Staged    State = "staged"               // other content in the index
	Deleted   State = "deleted"              // in the tree, not in the working tree
	Untracked State = "untracked"            // not in the tree, but there
	Behind    State = "behind a symlink"     // a parent folder is a symbolic link here
	Sparse    State = "not checked out"      // left out by a sparse checkout
	Unmerged  State = "in an unsolved merge" // several versions in the index
)

// Dirty says which of the entries are not clean in the user's working tree and
// index. Nothing is run that a repository can name: files are hashed here.
func (r *Repo) Dirty(ctx context.Context, entries []Entry) (map[string]State, error) {
	index, err := r.index(ctx)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(r.Top)
	if err != nil {
		return nil, fmt.Errorf("open the working tree: %w", err)
	}
	defer func() { _ = root.Close() }()
	dirty := map[string]State{}
	for _, e := range entries {
		s, err := stateOf(root, e, index)
		if err != nil {
			return nil, err
		}
		if s != Clean {
			dirty[e.Path] = s
		}
	}
	return dirty, nil
}

func stateOf(root *os.Root, e Entry, index map[string]indexEntry) (State, error) {
	in, known := index[e.Path]
	switch {
	case known && in.stage != "0":
		return Unmerged, nil
	case known && in.skip:
		return Sparse, nil
	case !known || in.id != e.ID:
		return Staged, nil
	case e.Mode == ModeSubmodule:
		return Clean, nil
	}
	have, err := readFile(root, e.Path)
	switch {
	case err != nil:
		return Clean, err
	case have.behind:
		return Behind, nil
	case have.absent:
		return Deleted, nil
	case !have.is(e.ID):
		return Modified, nil
	}
	return Clean, nil
}

type indexEntry struct {
	id    ID
	stage string
	skip  bool
}

// index lists the user's index.
func (r *Repo) index(ctx context.Context) (map[string]indexEntry, error) {
	out, err := r.ask(ctx, "ls-files", "-t", "--stage", "-z")
	if err != nil {
		return nil, err
	}
	index := map[string]indexEntry{}
	for rec := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		meta, name, ok := strings.Cut(string(rec), "\t")
		fields := strings.Fields(meta) // tag, mode, id, stage
		if ok && len(fields) == 4 {
			index[name] = indexEntry{id: ID(fields[2]), stage: fields[3], skip: fields[0] == "S"}
		}
	}
	return index, nil
}

// found is what lies at a path of the working tree.
type found struct {
	absent  bool
	behind  bool // a parent is a symbolic link or a file
	symlink bool
	mode    fs.FileMode
	content []byte
}

// is reports whether the content is that of a blob, byte for byte or, for a
// text that the user's checkout keeps with CRLF, after putting back LF.
func (f found) is(id ID) bool {
	if f.absent || f.behind {
		return false
	}
	return blobID(f.content, len(id)) == id || (f.crlf() && blobID(unixEnds(f.content), len(id)) == id)
}

// crlf reports whether every line ends in CRLF.
func (f found) crlf() bool {
	n := bytes.Count(f.content, []byte("\n"))
	return !f.symlink && n > 0 && n == bytes.Count(f.content, []byte("\r\n"))
}

func unixEnds(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")) }

// blobID is the id that git gives to content; digits is the length of an id in
// this repository.
func blobID(content []byte, digits int) ID {
	h := sha1.New() //nolint:gosec // git's object format, not a choice of ours
	if digits == 2*sha256.Size {
		h = sha256.New()
	}
	h.Write(fmt.Appendf(nil, "blob %d\x00", len(content)))
	h.Write(content)
	return ID(fmt.Sprintf("%x", h.Sum(nil)))
}

// readFile reads a path of the working tree without following any link.
func readFile(root *os.Root, name string) (found, error) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		fi, err := root.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || !fi.IsDir() {
			return found{behind: true}, nil //nolint:nilerr // not a folder that we may enter: that is the answer
		}
	}
	fi, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return found{absent: true}, nil
	}
	if err != nil {
		return found{}, fmt.Errorf("look at %s: %w", name, err)
	}
	f := found{mode: fi.Mode()}
	switch {
	case fi.Mode()&fs.ModeSymlink != 0:
		target, err := root.Readlink(name)
		f.symlink, f.content = true, []byte(target)
		return f, err
	case !fi.Mode().IsRegular():
		f.behind = true
		return f, nil
	}
	f.content, err = root.ReadFile(name)
	if err != nil {
		return found{}, fmt.Errorf("read %s: %w", name, err)
	}
	return f, nil
}
