package gitx

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/envvar"
)

// StagedTree writes the tree of the index from which a commit is being made and
// returns its id. environ is the environment of the calling hook: for commit
// -a, -p or with paths, git prepares a separate index and names it in
// GIT_INDEX_FILE.
//
// Git writes to an index whenever it works on one, so it works on a copy: the
// user's index does not change, and a lock on it does not matter to the copy.
func (r *Repo) StagedTree(ctx context.Context, environ []string) (ID, error) {
	name := r.indexFile(environ)
	if tree, ok := r.cachedTree(name); ok {
		if obj, err := r.Object(ctx, string(tree)); err == nil && obj.Type == "tree" {
			return tree, nil
		}
	}
	return r.askTree(ctx, name)
}

// askTree has git write the tree of a copy of an index.
func (r *Repo) askTree(ctx context.Context, name string) (ID, error) {
	dir, err := r.scratch()
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	copied := filepath.Join(dir, "index")
	fi, err := os.Stat(name)
	if err == nil {
		err = copyFile(copied, name, fi)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // without an index, nothing is staged
		return "", fmt.Errorf("copy the index %s: %w", name, err)
	}
	out, err := r.run(ctx, call{args: []string{"write-tree"}, env: []string{"GIT_INDEX_FILE=" + copied}, writes: true})
	return ID(strings.TrimSpace(string(out))), err
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

// Unpublished lists the first-parent commits of tip that cannot be reached from
// any ref below the prefixes, the oldest first.
func (r *Repo) Unpublished(ctx context.Context, tip ID, prefixes ...string) ([]ID, error) {
	args := []string{"rev-list", "--first-parent", "--reverse", string(tip), "--not"}
	for _, prefix := range prefixes {
		args = append(args, "--glob="+prefix)
	}
	out, err := r.ask(ctx, append(args, "--")...)
	if err != nil {
		return nil, err
	}
	var ids []ID
	for id := range strings.FieldsSeq(string(out)) {
		ids = append(ids, ID(id))
	}
	return ids, nil
}
