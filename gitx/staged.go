package gitx

import (
	"context"
	"path/filepath"
	"strings"
)

// StagedTree writes the tree of the index that a commit is being made from and
// returns its id. environ is the environment of the hook that asks: for
// commit -a, -p or with paths, git prepares an index of its own and names it in
// GIT_INDEX_FILE.
func (r *Repo) StagedTree(ctx context.Context, environ []string) (ID, error) {
	out, err := r.act(ctx, call{args: []string{"write-tree"}, env: []string{"GIT_INDEX_FILE=" + r.indexFile(environ)}, writes: true})
	return ID(strings.TrimSpace(string(out))), err
}

// indexFile is the index that a hook's environment names. Git starts hooks at
// the top of the working tree.
func (r *Repo) indexFile(environ []string) string {
	name := lookup(environ, "GIT_INDEX_FILE")
	switch {
	case name == "":
		return filepath.Join(r.GitDir, "index")
	case filepath.IsAbs(name):
		return name
	}
	return filepath.Join(r.Top, name)
}

// Unpublished lists the first-parent commits of tip that no ref below the
// prefixes reaches, the oldest first.
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
