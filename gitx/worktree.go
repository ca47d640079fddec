package gitx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// worktree is the user's working tree and index at one moment.
type worktree struct {
	root     *os.Root
	index    map[string]indexEntry
	names    []string // of the index, in its order
	execBits bool     // executable bits mean something here
	symlinks bool     // symbolic links are links here, not small files
}

type indexEntry struct {
	id    ID
	mode  string
	stage string
	skip  bool // left out by a sparse checkout
}

func (r *Repo) worktree(ctx context.Context) (*worktree, error) {
	w := &worktree{index: map[string]indexEntry{}}
	out, err := r.ask(ctx, "ls-files", "-t", "--stage", "-z")
	if err != nil {
		return nil, err
	}
	for rec := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		meta, name, ok := strings.Cut(string(rec), "\t")
		fields := strings.Fields(meta) // tag, mode, id, stage
		if ok && len(fields) == 4 {
			w.index[name] = indexEntry{id: ID(fields[2]), mode: fields[1], stage: fields[3], skip: fields[0] == "S"}
			w.names = append(w.names, name)
		}
	}
	config, err := r.Config(ctx, nil, `^core\.(filemode|symlinks)$`, "--type=bool")
	if err != nil {
		return nil, err
	}
	w.execBits, w.symlinks = config["core.filemode"] != "false", config["core.symlinks"] != "false"
	if w.root, err = os.OpenRoot(r.Top); err != nil {
		return nil, fmt.Errorf("open the working tree: %w", err)
	}
	return w, nil
}

func (w *worktree) close() { _ = w.root.Close() }

// kind is what can be at a path.
type kind int

const (
	nothing kind = iota
	regular
	link
	folder
	special // a device, a socket, a pipe, or too large to be read
	beyond  // a parent folder is a symbolic link: the path leads elsewhere
)

// found is what is at a path of the working tree.
type found struct {
	kind    kind
	blocker string // the parent that is not a folder, if there is one
	mode    fs.FileMode
	content []byte
}

// executable reports what git considers executable.
func (f found) executable() bool { return f.kind == regular && f.mode&0o100 != 0 }

// look reads a path of the working tree without following any link.
func (w *worktree) look(name string) (found, error) {
	for i, char := range name + "/" {
		if char != '/' {
			continue
		}
		fi, err := w.root.Lstat(name[:i])
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return found{}, nil
		case err != nil:
			return found{}, fmt.Errorf("look at %s: %w", name[:i], err)
		case i == len(name):
			return w.read(name, fi)
		case fi.Mode()&fs.ModeSymlink != 0:
			return found{kind: beyond, blocker: name[:i]}, nil
		case !fi.IsDir():
			return found{blocker: name[:i]}, nil
		}
	}
	return found{}, nil
}

func (w *worktree) read(name string, fi fs.FileInfo) (f found, err error) {
	f.mode = fi.Mode()
	switch {
	case fi.IsDir():
		f.kind = folder
	case fi.Mode()&fs.ModeSymlink != 0:
		var target string
		target, err = w.root.Readlink(name)
		f.kind, f.content = link, []byte(target)
	case fi.Mode().IsRegular() && fi.Size() <= wholefile.Most:
		f.kind = regular
		f.content, err = wholefile.ReadIn(w.root, name)
	default:
		f.kind = special
	}
	if err != nil {
		return found{}, fmt.Errorf("read %s: %w", name, err)
	}
	return f, nil
}

// form is how a file's content relates to an entry's.
type form int

const (
	differs form = iota
	exact        // byte for byte
	crlf         // with CRLF for the LF of the entry, in every line
)

// form says in which form a file holds an entry's content, if it does; nil has none.
func (w *worktree) form(f found, e *Entry) form {
	if e == nil {
		return differs
	}
	fits := f.kind == regular
	if e.Mode == ModeSymlink && w.symlinks {
		fits = f.kind == link
	}
	switch n := bytes.Count(f.content, []byte("\n")); {
	case !fits || e.Mode == ModeSubmodule:
		return differs
	case objectID("blob", f.content, len(e.ID)) == e.ID:
		return exact
	case f.kind != regular || n == 0 || n != bytes.Count(f.content, []byte("\r\n")):
		return differs
	case objectID("blob", bytes.ReplaceAll(f.content, []byte("\r\n"), []byte("\n")), len(e.ID)) == e.ID:
		return crlf
	}
	return differs
}
