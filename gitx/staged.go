package gitx

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-tdd/git-tdd/internal/envvar"
)

// StagedTree writes the tree of the index that is being committed. environ is that of the hook:
// for commit -a, -p or with paths, git names a separate index in GIT_INDEX_FILE. That is never
// locked: a git that outlives a killed hook would hold the lock after the commit has ended.
func (r *Repo) StagedTree(ctx context.Context, environ []string) (ID, error) {
	return r.treeOf(ctx, r.indexFile(environ))
}

// WorkingTree writes the tree that `git add --all` and a commit would make now, and leaves the
// index as it is. Like them it runs the filters of the configuration.
func (r *Repo) WorkingTree(ctx context.Context) (ID, error) {
	return r.treeOf(ctx, r.indexFile(nil), "add", "--all", "--", ":/")
}

// IndexTree writes the tree of the index, and leaves that as it is to the byte: git
// write-tree would note in it what it has written.
func (r *Repo) IndexTree(ctx context.Context) (ID, error) { return r.treeOf(ctx, r.indexFile(nil)) }

// treeOf writes the tree of a copy of an index, after a command of git on that copy, if
// one is named.
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

// indexFile is the index named by a hook's environment. Git starts hooks at the
// top of the working tree.
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
