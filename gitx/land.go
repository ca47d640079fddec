package gitx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// nextRef is the redo record of a landing.
const nextRef = "refs/tdd/next"

// CollisionError says that the user's own changes stand where a step would
// write.
type CollisionError struct {
	Paths []string
	State map[string]State
}

// Error names the first paths.
func (e *CollisionError) Error() string {
	var text []string
	for _, p := range e.Paths[:min(len(e.Paths), 3)] {
		text = append(text, fmt.Sprintf("%s (%s)", p, e.State[p]))
	}
	if more := len(e.Paths) - len(text); more > 0 {
		text = append(text, fmt.Sprintf("and %d more", more))
	}
	return "your own changes are in the way: " + strings.Join(text, ", ") + "; commit or move them, then run the step again"
}

// Landing is a finished commit on its way to a branch.
type Landing struct {
	Branch   string // "refs/heads/main"
	Old, New ID     // commits; an empty Old is an unborn branch
	Log      string // what the reflog says
}

// Land moves a branch from Old to New and the user's files and index with it.
//
// First nothing is touched: collisions are looked for. Then refs/tdd/next is
// created, the branch is moved by compare-and-swap, and the files follow, each
// only if it still has the old content or has the new one already. Whatever
// happens in between, Recover finishes the work. A cancelled context is heeded
// only before the first write.
func (r *Repo) Land(ctx context.Context, l Landing) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	diffs, err := r.landed(ctx, l)
	if err != nil {
		return err
	}
	if err := r.collisions(ctx, diffs); err != nil {
		return err
	}
	record, err := r.writeRecord(ctx, l)
	if err != nil {
		return err
	}
	if err := r.UpdateRef(ctx, RefUpdate{Name: nextRef, New: record, Log: "landing"}); err != nil {
		return fmt.Errorf("record the landing: %w", err)
	}
	return r.finish(ctx, l, record)
}

// landed lists what differs between the two commits of a landing.
func (r *Repo) landed(ctx context.Context, l Landing) ([]Diff, error) {
	var before Commit
	if l.Old != "" {
		var err error
		if before, err = r.Commit(ctx, string(l.Old)); err != nil {
			return nil, err
		}
	}
	after, err := r.Commit(ctx, string(l.New))
	if err != nil {
		return nil, err
	}
	return r.Diff(ctx, before.Tree, after.Tree, NoMoves)
}

// collisions looks at every path that a landing will write.
func (r *Repo) collisions(ctx context.Context, diffs []Diff) error {
	var there []Entry
	states := map[string]State{}
	root, err := os.OpenRoot(r.Top)
	if err != nil {
		return fmt.Errorf("open the working tree: %w", err)
	}
	defer func() { _ = root.Close() }()
	for _, d := range diffs {
		if d.Old != nil {
			there = append(there, *d.Old)
			continue
		}
		have, err := readFile(root, d.New.Path)
		switch {
		case err != nil:
			return err
		case have.behind:
			states[d.New.Path] = Behind
		case !have.absent && !have.is(d.New.ID):
			states[d.New.Path] = Untracked
		}
	}
	dirty, err := r.Dirty(ctx, there)
	if err != nil {
		return err
	}
	maps.Copy(states, dirty)
	return collision(states)
}

func collision(states map[string]State) error {
	if len(states) == 0 {
		return nil
	}
	e := &CollisionError{State: states}
	for p := range states {
		e.Paths = append(e.Paths, p)
	}
	slices.Sort(e.Paths)
	return e
}

// writeRecord stores the redo record: a tag object, so that the commit it is
// about stays reachable, that says which branch and which working tree.
func (r *Repo) writeRecord(ctx context.Context, l Landing) (ID, error) {
	text := fmt.Sprintf("object %s\ntype commit\ntag next\ntagger git-tdd <tdd@local> 0 +0000\n\nbranch %s\nold %s\nworktree %s\n",
		l.New, l.Branch, l.Old, r.Top)
	out, err := r.act(ctx, call{args: []string{"mktag"}, stdin: []byte(text)})
	return ID(strings.TrimSpace(string(out))), err
}

// finish does all that comes after the redo record.
func (r *Repo) finish(ctx context.Context, l Landing, record ID) error {
	err := r.UpdateRef(ctx, RefUpdate{Name: l.Branch, New: l.New, Old: l.Old, Log: l.Log})
	if errors.Is(err, ErrMoved) {
		return errors.Join(err, r.forget(ctx, record))
	}
	if err != nil {
		return err
	}
	branch, err := r.branch(ctx)
	if err != nil {
		return err
	}
	if branch == l.Branch {
		if err := r.follow(ctx, l); err != nil {
			return err
		}
	}
	return r.forget(ctx, record)
}

func (r *Repo) forget(ctx context.Context, record ID) error {
	return r.UpdateRef(ctx, RefUpdate{Name: nextRef, Old: record})
}

// follow moves the user's files and index entries from Old to New.
func (r *Repo) follow(ctx context.Context, l Landing) error {
	diffs, err := r.landed(ctx, l)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(r.Top)
	if err != nil {
		return fmt.Errorf("open the working tree: %w", err)
	}
	defer func() { _ = root.Close() }()
	states := map[string]State{}
	var done []Diff
	for _, d := range diffs {
		ok, err := r.followOne(ctx, root, d)
		if err != nil {
			return err
		}
		if !ok {
			states[d.Path()] = Modified
			continue
		}
		done = append(done, d)
	}
	if err := r.stage(ctx, done); err != nil {
		return err
	}
	if err := collision(states); err != nil {
		return fmt.Errorf("%w\nThe commit is on the branch. To keep your version of these files: git update-ref -d %s; "+
			"to take the commit's: git checkout HEAD -- <file>, then git tdd status", err, nextRef)
	}
	return nil
}

// followOne moves one file; ok is false where it has neither the old nor the
// new content.
func (r *Repo) followOne(ctx context.Context, root *os.Root, d Diff) (ok bool, err error) {
	have, err := readFile(root, d.Path())
	if err != nil || have.behind {
		return false, err
	}
	if d.New == nil {
		switch {
		case have.absent:
			return true, nil
		case !have.is(d.Old.ID):
			return false, nil
		}
		return true, remove(root, d.Old.Path)
	}
	isOld := (d.Old == nil && have.absent) || (d.Old != nil && have.is(d.Old.ID))
	if !isOld && !have.is(d.New.ID) {
		return false, nil
	}
	return true, r.put(ctx, root, d.New, have)
}

// put writes one file of the new tree: into a temporary file, flushed, then
// renamed over the old one.
func (r *Repo) put(ctx context.Context, root *os.Root, e *Entry, have found) error {
	if e.Mode == ModeSubmodule {
		return nil
	}
	obj, err := r.Object(ctx, string(e.ID))
	if err != nil {
		return err
	}
	content := obj.Content
	if have.crlf() && !bytes.Contains(content, []byte("\r\n")) {
		content = bytes.ReplaceAll(content, []byte("\n"), []byte("\r\n"))
	}
	if err := root.MkdirAll(path.Dir(e.Path), 0o777); err != nil {
		return fmt.Errorf("make the folder of %s: %w", e.Path, err)
	}
	temp := path.Join(path.Dir(e.Path), ".tdd-"+e.ID.Short()+".tmp")
	if err := writeFile(root, temp, e.Mode, content); err != nil {
		return fmt.Errorf("write %s: %w", e.Path, err)
	}
	if err := root.Rename(temp, e.Path); err != nil {
		return fmt.Errorf("put %s in place: %w", e.Path, err)
	}
	return nil
}

func writeFile(root *os.Root, name, mode string, content []byte) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if mode == ModeSymlink {
		return root.Symlink(string(content), name)
	}
	perm := fs.FileMode(0o666)
	if mode == ModeExecutable {
		perm = 0o777
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Sync(), f.Close())
}

// remove takes a file away, and the folders that it leaves empty.
func remove(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", name, err)
	}
	dir := path.Dir(name)
	for dir != "." && root.Remove(dir) == nil {
		dir = path.Dir(dir)
	}
	return nil
}

// stage moves the index entries of the landed paths, and no other.
func (r *Repo) stage(ctx context.Context, diffs []Diff) error {
	var info bytes.Buffer
	for _, d := range diffs {
		if d.New == nil {
			fmt.Fprintf(&info, "0 %s\t%s\x00", strings.Repeat("0", len(d.Old.ID)), d.Old.Path)
			continue
		}
		fmt.Fprintf(&info, "%s %s\t%s\x00", d.New.Mode, d.New.ID, d.New.Path)
	}
	if info.Len() == 0 {
		return nil
	}
	_, err := r.act(ctx, call{args: []string{"update-index", "-z", "--index-info"}, stdin: info.Bytes()})
	return err
}
