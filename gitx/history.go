package gitx

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Walk visits the commits from rev along first parents until visit returns
// false. A shallow clone ends where its history does: its last commit is
// visited without parents.
func (r *Repo) Walk(ctx context.Context, rev string, visit func(Commit) bool) error {
	boundary, err := r.boundary()
	if err != nil {
		return err
	}
	for {
		c, err := r.Commit(ctx, rev)
		if err != nil {
			return err
		}
		if boundary[c.ID] {
			c.Parents = nil
		}
		if !visit(c) || len(c.Parents) == 0 {
			return nil
		}
		rev = string(c.Parents[0])
	}
}

// boundary lists the commits at which the history of a shallow clone ends.
func (r *Repo) boundary() (map[ID]bool, error) {
	data, err := os.ReadFile(filepath.Join(r.CommonDir, "shallow"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the boundary of a shallow clone: %w", err)
	}
	boundary := map[ID]bool{}
	for id := range strings.FieldsSeq(string(data)) {
		boundary[ID(id)] = true
	}
	return boundary, nil
}

// Nearest returns the nearest first-parent commit of rev whose message matches
// a basic regular expression; empty if there is none. It reads the whole
// history if necessary: if a match is likely among the first few hundred
// commits, Walk is as fast. It fails with ErrMissing if rev names nothing.
func (r *Repo) Nearest(ctx context.Context, rev, pattern string) (ID, error) {
	from, err := r.Commit(ctx, rev)
	if err != nil {
		return "", err
	}
	out, err := r.ask(ctx, "log", "-1", "--first-parent", "--no-show-signature", "--encoding=UTF-8", "--format=%H",
		"--basic-regexp", "--grep="+pattern, string(from.ID), "--")
	return ID(strings.TrimSpace(string(out))), err
}

// Matching lists the commits that lead to rev, behind merges too, whose message matches
// a basic regular expression, each after its parents. It reads the whole history.
func (r *Repo) Matching(ctx context.Context, rev ID, pattern string) ([]ID, error) {
	out, err := r.ask(ctx, "log", "--topo-order", "--reverse", "--no-show-signature", "--encoding=UTF-8", "--format=%H",
		"--basic-regexp", "--grep="+pattern, string(rev), "--")
	return ids(out), err
}

// MergeBase is the nearest commit that two have in common; empty if there is none.
func (r *Repo) MergeBase(ctx context.Context, a, b ID) (ID, error) {
	out, err := r.ask(ctx, "merge-base", string(a), string(b))
	if err != nil && exitCode(err) != 1 { // 1: there is none
		return "", err
	}
	return ID(strings.TrimSpace(string(out))), nil
}

// List returns the commits of a revision range, behind merges too, each after its
// parents.
func (r *Repo) List(ctx context.Context, revisions string) ([]ID, error) {
	out, err := r.ask(ctx, "rev-list", "--topo-order", "--reverse", "--end-of-options", revisions, "--")
	return ids(out), err
}

func ids(out []byte) (found []ID) {
	for id := range strings.FieldsSeq(string(out)) {
		found = append(found, ID(id))
	}
	return found
}
