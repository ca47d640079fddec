package gitx

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// CollisionError says that the user's own changes are where a step would write.
type CollisionError struct{ State map[string]State }

// Error names the first paths.
func (e *CollisionError) Error() string {
	var text []string
	paths := slices.Sorted(maps.Keys(e.State))
	for _, p := range paths[:min(len(paths), 3)] {
		text = append(text, fmt.Sprintf("%s (%s)", p, e.State[p]))
	}
	if more := len(paths) - len(text); more > 0 {
		text = append(text, fmt.Sprintf("and %d more", more))
	}
	return "your own changes are in the way: " + strings.Join(text, ", ") + "; commit or move them, then run the step again"
}

func collision(states map[string]State) error {
	if len(states) == 0 {
		return nil
	}
	return &CollisionError{State: states}
}

// collisions looks at every path that a landing will write.
func (r *Repo) collisions(ctx context.Context, diffs []Diff) error {
	w, err := r.worktree(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	leaving, states := map[string]bool{}, map[string]State{}
	for _, d := range diffs {
		leaving[d.Path()] = d.New == nil
	}
	for _, d := range diffs {
		s, err := w.obstacle(d, leaving)
		if err != nil {
			return err
		}
		if s != Clean {
			states[d.Path()] = s
		}
	}
	return collision(states)
}

// obstacle says what of the user's is in the way of a difference; leaving are the paths being deleted.
func (w *worktree) obstacle(d Diff, leaving map[string]bool) (State, error) {
	if d.Old != nil {
		s, err := w.state(*d.Old)
		if s != Clean || err != nil || d.New == nil || d.Old.Mode != ModeSubmodule {
			return s, err
		}
	} else if s := w.staged(d.New.Path, nil, d.New); s != Clean {
		return s, nil
	}
	if w.indexBlocks(d.New.Path, leaving) {
		return Staged, nil
	}
	return w.inTheWay(d.New, leaving)
}

// inTheWay says what the user has in the working tree at the place of a new file.
func (w *worktree) inTheWay(e *Entry, leaving map[string]bool) (State, error) {
	have, err := w.look(e.Path)
	if err != nil {
		return Clean, err
	}
	switch {
	case leaving[have.blocker]:
		return Clean, nil
	case have.kind == beyond:
		return Behind, nil
	case have.blocker != "":
		return Untracked, nil
	case have.kind == nothing, have.kind == folder && e.Mode == ModeSubmodule:
		return Clean, nil
	case have.kind == folder:
		others, err := w.othersIn(e.Path, leaving)
		if err != nil || !others {
			return Clean, err
		}
	case w.form(have, e) != differs:
		return Clean, nil
	}
	return Untracked, nil
}

// indexBlocks reports whether the index has a file in the place of a folder, or files below a file's.
func (w *worktree) indexBlocks(name string, leaving map[string]bool) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if _, there := w.index[dir]; there && !leaving[dir] {
			return true
		}
	}
	at, _ := slices.BinarySearch(w.names, name+"/")
	for _, below := range w.names[at:] {
		if !strings.HasPrefix(below, name+"/") {
			return false
		}
		if !leaving[below] {
			return true
		}
	}
	return false
}

// othersIn reports whether a folder holds anything but folders and files that are leaving.
func (w *worktree) othersIn(dir string, leaving map[string]bool) (bool, error) {
	others := false
	err := fs.WalkDir(w.root.FS(), dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !leaving[name] {
			others = true
			return fs.SkipAll
		}
		return err
	})
	if err != nil {
		return false, fmt.Errorf("look into %s: %w", dir, err)
	}
	return others, nil
}

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
// every line is clean: some checkouts keep texts that way. fresh are paths that git does not
// track, which are clean where nothing stands.
func (r *Repo) Dirty(ctx context.Context, entries []Entry, fresh ...string) (map[string]State, error) {
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
	for _, name := range fresh {
		switch have, err := w.look(name); {
		case err != nil:
			return nil, err
		case have.kind == beyond:
			dirty[name] = Behind
		case have.kind != nothing || have.blocker != "":
			dirty[name] = Untracked
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

// staged compares the index with the entries that it may have for a path, where nil is none.
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
