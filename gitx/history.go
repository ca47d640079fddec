package gitx

import (
	"context"
	"strings"
)

// Nearest returns the nearest first-parent commit of rev whose message matches
// a basic regular expression; empty where there is none. It reads the whole
// history if it must.
func (r *Repo) Nearest(ctx context.Context, rev, pattern string) (ID, error) {
	out, err := r.ask(ctx, "log", "-1", "--first-parent", "--no-show-signature", "--format=%H", "--grep="+pattern, rev, "--")
	return ID(strings.TrimSpace(string(out))), err
}

// List returns the first-parent commits of a revision range, the oldest first.
func (r *Repo) List(ctx context.Context, revisions string) ([]ID, error) {
	out, err := r.ask(ctx, "rev-list", "--first-parent", "--reverse", "--end-of-options", revisions, "--")
	if err != nil {
		return nil, err
	}
	var ids []ID
	for id := range strings.FieldsSeq(string(out)) {
		ids = append(ids, ID(id))
	}
	return ids, nil
}

// DiffText is a unified diff between two trees, for reading.
func (r *Repo) DiffText(ctx context.Context, before, after ID) (string, error) {
	out, err := r.ask(ctx, "diff-tree", "-r", "-p", "--find-renames", "--no-ext-diff", "--no-textconv", "--no-color", string(before), string(after))
	return string(out), err
}
