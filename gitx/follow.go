package gitx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
)

// follow moves the user's files and index from Old to New, but for what the user has changed meanwhile.
func (r *Repo) follow(ctx context.Context, l Landing) error {
	w, diffs, err := r.half(ctx, l)
	if err != nil {
		return err
	}
	defer w.close()
	states := map[string]State{}
	var staged []Diff
	came := slices.DeleteFunc(slices.Clone(diffs), func(d Diff) bool { return d.New == nil })
	gone := slices.DeleteFunc(slices.Clone(diffs), func(d Diff) bool { return d.New != nil })
	for _, d := range slices.Concat(gone, came) { // deletions make room, as a file may become a folder
		s := w.staged(d.Path(), d.Old, d.New)
		if s == Clean {
			staged = append(staged, d)
			if s, err = r.followOne(ctx, w, d); err != nil {
				return err
			}
		}
		if s != Clean {
			states[d.Path()] = s
		}
	}
	err = w.flush(diffs)
	if err == nil {
		err = r.stage(ctx, staged)
	}
	if err != nil {
		return err
	}
	if err := collision(states); err != nil {
		return fmt.Errorf("%w\nTo keep your version of these files: git update-ref -d %s; "+
			"to take the commit's: git checkout HEAD -- <file>, then git tdd status", err, r.nextRef())
	}
	return nil
}

// followOne moves one file, unless it has neither the old nor the new content.
func (r *Repo) followOne(ctx context.Context, w *worktree, d Diff) (State, error) {
	have, err := w.look(d.Path())
	switch {
	case err != nil:
		return Clean, err
	case d.New == nil:
		return w.remove(d.Old, have)
	case have.kind == beyond:
		return Behind, nil
	case have.blocker != "":
		return Untracked, nil
	case d.New.Mode == ModeSubmodule:
		return w.putSubmodule(d, have)
	}
	was, is := w.form(have, d.Old), w.form(have, d.New)
	if was == exact && is == crlf {
		is = differs // the commit changes nothing but line ends
	}
	switch {
	case is != differs && (have.kind == link || have.executable() == (d.New.Mode == ModeExecutable)):
		return Clean, nil // there already
	case is == differs && was == differs:
		if vacant, err := w.vacate(d, have); err != nil || !vacant {
			return occupied(d), err
		}
	}
	obj, err := r.Object(ctx, string(d.New.ID))
	if err != nil {
		return Clean, err
	}
	if (was == crlf || is == crlf) && !bytes.Contains(obj.Content, []byte("\r\n")) {
		obj.Content = bytes.ReplaceAll(obj.Content, []byte("\n"), []byte("\r\n"))
	}
	return Clean, w.put(d.New, obj.Content)
}

// occupied is the state of a place where the user has something.
func occupied(d Diff) State {
	if d.Old == nil {
		return Untracked
	}
	return Modified
}

// vacate makes sure that nothing is in the place of a new file; empty folders go, as in git.
func (w *worktree) vacate(d Diff, have found) (bool, error) {
	if d.Old != nil && d.Old.Mode != ModeSubmodule {
		return false, nil
	}
	if have.kind != folder {
		return have.kind == nothing, nil
	}
	others, err := w.othersIn(d.New.Path, nil)
	if err != nil || others {
		return false, err
	}
	var dirs []string
	err = fs.WalkDir(w.root.FS(), d.New.Path, func(name string, _ fs.DirEntry, err error) error {
		dirs = append(dirs, name)
		return err
	})
	for _, dir := range slices.Backward(dirs) {
		err = errors.Join(err, w.root.Remove(dir))
	}
	return err == nil, err
}

// put writes a file of the new tree: to a temporary file, flushed and renamed over the old one.
func (w *worktree) put(e *Entry, content []byte) error {
	if err := w.root.MkdirAll(path.Dir(e.Path), 0o777); err != nil {
		return fmt.Errorf("make the folder of %s: %w", e.Path, err)
	}
	temp := tempName(e)
	if err := w.write(temp, e.Mode, content); err != nil {
		return fmt.Errorf("write %s: %w", e.Path, err)
	}
	if err := w.root.Rename(temp, e.Path); err != nil {
		return fmt.Errorf("put %s in place: %w", e.Path, err)
	}
	return nil
}

// tempName is where an entry is written first; a recovery finds it by its name.
func tempName(e *Entry) string { return path.Join(path.Dir(e.Path), ".tdd-"+e.ID.Short()+".tmp") }

func (w *worktree) write(name, mode string, content []byte) error {
	if mode == ModeSymlink && w.symlinks {
		return w.root.Symlink(string(content), name)
	}
	perm := fs.FileMode(0o666)
	if mode == ModeExecutable {
		perm = 0o777
	}
	f, err := w.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Sync(), f.Close())
}

// putSubmodule makes the folder of a submodule; its content is left to git.
func (w *worktree) putSubmodule(d Diff, have found) (State, error) {
	switch {
	case have.kind == folder:
		return Clean, nil
	case have.kind != nothing && w.form(have, d.Old) == differs:
		return occupied(d), nil
	case have.kind != nothing:
		if err := w.root.Remove(d.Old.Path); err != nil {
			return Clean, fmt.Errorf("remove %s: %w", d.Old.Path, err)
		}
	}
	if err := w.root.MkdirAll(d.New.Path, 0o777); err != nil {
		return Clean, fmt.Errorf("make the folder of a submodule: %w", err)
	}
	return Clean, nil
}

// remove deletes a file, and the folders that it leaves empty. It does not
// touch a folder or a link in its place, or a link above it.
func (w *worktree) remove(e *Entry, have found) (State, error) {
	switch have.kind {
	case beyond:
		return Clean, nil
	case folder:
		if e.Mode != ModeSubmodule || !gone(w.root.Remove(e.Path)) {
			return Clean, nil
		}
	case special:
		return Modified, nil
	case regular, link:
		if w.form(have, e) == differs {
			return Modified, nil
		}
		if err := w.root.Remove(e.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return Clean, fmt.Errorf("remove %s: %w", e.Path, err)
		}
	case nothing:
		if have.blocker != "" {
			return Clean, nil
		}
	}
	for dir := path.Dir(e.Path); dir != "." && gone(w.root.Remove(dir)); {
		dir = path.Dir(dir)
	}
	return Clean, nil
}

// gone reports whether nothing is left after a removal, even if something else removed it.
func gone(err error) bool { return err == nil || errors.Is(err, fs.ErrNotExist) }

// flush makes renames and removals durable before the index and the record tell of them.
func (w *worktree) flush(diffs []Diff) error {
	done := map[string]bool{}
	for _, d := range diffs {
		for dir := path.Dir(d.Path()); !done[dir]; dir = path.Dir(dir) {
			done[dir] = true
			if err := w.flushDir(dir); err != nil {
				return fmt.Errorf("flush the folder %s: %w", dir, err)
			}
		}
	}
	return nil
}

func (w *worktree) flushDir(name string) error {
	if fi, _ := w.root.Lstat(name); fi == nil || !fi.IsDir() {
		return nil // it went with its last file
	}
	f, err := w.root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(flush(f), f.Close())
}
