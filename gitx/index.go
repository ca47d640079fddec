package gitx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/internal/envvar"
)

// stage moves the index entries of the landed paths, and no others.
//
// Git does it, but when it writes an index it rereads files that changed at the same moment,
// through filters that the repository can name. So it works on a copy, with an empty folder as the
// working tree. The copy keeps the age of the index, which tells git later what to read again.
func (r *Repo) stage(ctx context.Context, diffs []Diff) error {
	if len(diffs) == 0 {
		return nil
	}
	if err := r.awaitIndex(); err != nil {
		return err
	}
	name := filepath.Join(r.GitDir, "index")
	lock, err := os.OpenFile(name+".lock", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("lock the index: %w", err)
	}
	var lines bytes.Buffer
	for _, d := range diffs {
		if d.New != nil {
			lines.WriteString(d.New.indexLine())
		} else {
			lines.WriteString(d.Old.indexRemoval())
		}
	}
	if err = lock.Close(); err == nil {
		err = r.restage(ctx, name, lines.Bytes())
	}
	if err2 := os.Remove(name + ".lock"); err2 != nil {
		err = errors.Join(err, fmt.Errorf("unlock the index: %w", err2))
	}
	return err
}

// indexLine is what update-index reads to put an entry into an index.
func (e Entry) indexLine() string { return fmt.Sprintf("%s %s\t%s\x00", e.Mode, e.ID, e.Path) }

// indexRemoval is what update-index reads to take an entry out.
func (e Entry) indexRemoval() string {
	return fmt.Sprintf("0 %s\t%s\x00", strings.Repeat("0", len(e.ID)), e.Path)
}

// restage replaces a locked index by an edited copy.
func (r *Repo) restage(ctx context.Context, name string, lines []byte) error {
	dir, err := r.landingScratch()
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	copied, none := filepath.Join(dir, "index"), filepath.Join(dir, "none")
	if err := os.Mkdir(none, 0o750); err != nil {
		return fmt.Errorf("make an empty working tree: %w", err)
	}
	fi, err := os.Stat(name)
	if err == nil {
		err = copyFile(copied, name, fi)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("copy the index: %w", err)
	}
	if _, err := r.act(ctx, call{
		args:  []string{"-C", none, "--git-dir=" + r.GitDir, "--work-tree=" + none, "update-index", "-z", "--index-info"},
		stdin: lines, env: []string{"GIT_INDEX_FILE=" + copied}, writes: true,
	}); err != nil {
		return err
	}
	if fi != nil {
		if err := os.Chtimes(copied, fi.ModTime(), fi.ModTime()); err != nil {
			return fmt.Errorf("keep the age of the index: %w", err)
		}
	}
	if err := os.Rename(copied, name); err != nil {
		return fmt.Errorf("put the index in place: %w", err)
	}
	return nil
}

func copyFile(to, from string, like fs.FileInfo) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, data, like.Mode().Perm()); err != nil { //nolint:gosec // in the git directory, as git itself names it
		return err
	}
	return os.Chtimes(to, like.ModTime(), like.ModTime())
}

// StagedTree writes the tree of the index, and leaves that as it is to the byte, unlike git
// write-tree. environ is a hook's environment, or nil: for commit -a, -p or with paths, git names a
// separate index in GIT_INDEX_FILE. That is never locked: a git that outlives a killed hook would
// hold the lock after the commit has ended.
func (r *Repo) StagedTree(ctx context.Context, environ []string) (ID, error) {
	return r.treeOf(ctx, r.indexFile(environ))
}

// WorkingTree writes the tree that `git add --all` and a commit would make now, and leaves the
// index as it is. Like them it runs the filters of the configuration.
func (r *Repo) WorkingTree(ctx context.Context) (ID, error) {
	return r.treeOf(ctx, r.indexFile(nil), "add", "--all", "--", ":/")
}

// treeOf writes the tree of a copy of an index, perhaps after a git command on that copy.
func (r *Repo) treeOf(ctx context.Context, index string, args ...string) (ID, error) {
	if _, err := os.Stat(r.StateDir()); errors.Is(err, fs.ErrNotExist) {
		defer func() { _ = os.Remove(r.StateDir()) }() // nothing is kept in a repository that is not guarded
	}
	dir, err := r.scratch()
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	copied := filepath.Join(dir, "index")
	if fi, err := os.Stat(index); err == nil {
		if err := copyFile(copied, index, fi); err != nil {
			return "", fmt.Errorf("copy the index: %w", err)
		}
	}
	env := []string{"GIT_INDEX_FILE=" + copied}
	if len(args) > 0 {
		if _, err := r.act(ctx, call{args: args, env: env, writes: true}); err != nil {
			return "", err
		}
	}
	return oneID(r.act(ctx, call{args: []string{"write-tree"}, env: env, writes: true}))
}

// indexFile is the index named by a hook's environment; hooks start at the top of the working tree.
func (r *Repo) indexFile(environ []string) string {
	name := envvar.Get(environ, "GIT_INDEX_FILE")
	switch {
	case name == "":
		return filepath.Join(r.GitDir, "index")
	case filepath.IsAbs(name):
		return name
	}
	return filepath.Join(r.Top, name)
}
