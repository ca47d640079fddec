package gitx

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/envvar"
)

// StagedTree writes the tree of the index from which a commit is being made and
// returns its id. environ is the environment of the calling hook: for commit
// -a, -p or with paths, git prepares a separate index and names it in
// GIT_INDEX_FILE.
func (r *Repo) StagedTree(ctx context.Context, environ []string) (ID, error) {
	out, err := r.act(ctx, call{args: []string{"write-tree"}, env: []string{"GIT_INDEX_FILE=" + r.indexFile(environ)}, writes: true})
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
