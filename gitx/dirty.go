package gitx

import "context"

// State says how the user's copy of a path differs from a tree entry.
type State string

// The states of a path in the working tree and the index.
const (
	Clean     State = ""                     // as in the tree
	Modified  State = "modified"             // different content, type or executable bit in the working tree
	Staged    State = "staged"               // different in the index
	Deleted   State = "deleted"              // in the tree, not in the working tree
	Untracked State = "untracked"            // not in the tree, but in the working tree
	Behind    State = "behind a symlink"     // a parent folder is a symbolic link here
	Sparse    State = "not checked out"      // left out by a sparse checkout
	Unmerged  State = "in an unsolved merge" // several versions in the index
)

// Dirty says which entries are not clean in the user's working tree and index. Files are hashed
// here, so that nothing runs that a repository can name. A text that differs only by CRLF in
// every line is clean: some checkouts keep texts that way.
func (r *Repo) Dirty(ctx context.Context, entries []Entry) (map[string]State, error) {
	w, err := r.worktree(ctx)
	if err != nil {
		return nil, err
	}
	defer w.close()
	dirty := map[string]State{}
	for _, e := range entries {
		s, err := w.state(e)
		if err != nil {
			return nil, err
		}
		if s != Clean {
			dirty[e.Path] = s
		}
	}
	return dirty, nil
}

// state compares the user's copy with an entry: the index first, then the file.
func (w *worktree) state(e Entry) (State, error) {
	if s := w.staged(e.Path, &e); s != Clean || e.Mode == ModeSubmodule {
		return s, nil
	}
	have, err := w.look(e.Path)
	switch {
	case err != nil:
		return Clean, err
	case have.kind == beyond:
		return Behind, nil
	case have.kind == nothing:
		return Deleted, nil
	case w.form(have, &e) == differs, w.execBits && have.executable() != (e.Mode == ModeExecutable):
		return Modified, nil
	}
	return Clean, nil
}

// staged compares the index with the entries that it may have for a path; nil
// stands for no entry.
func (w *worktree) staged(name string, may ...*Entry) State {
	in, known := w.index[name]
	switch {
	case known && in.stage != "0":
		return Unmerged
	case known && in.skip:
		return Sparse
	}
	for _, e := range may {
		if (e == nil && !known) || (e != nil && known && in.id == e.ID && in.mode == e.Mode) {
			return Clean
		}
	}
	return Staged
}
