package gitx

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Without is a tree that lacks some folders, or the tree itself if it has none of
// them. Folders that would be empty are left out, as git does.
func (r *Repo) Without(ctx context.Context, tree ID, folders []string) (ID, error) {
	list, err := r.nodesOf(ctx, tree)
	if err != nil || len(folders) == 0 {
		return tree, err
	}
	rest, changed, err := r.prune(ctx, list, folders)
	if err != nil || !changed {
		return tree, err
	}
	return r.makeTree(ctx, rest)
}

// prune takes folders out of the entries of a tree.
func (r *Repo) prune(ctx context.Context, list []node, folders []string) (rest []node, changed bool, err error) {
	for _, n := range list {
		id, err := r.pruned(ctx, n, below(folders, n.name))
		if err != nil {
			return nil, false, err
		}
		changed = changed || id != n.id
		if n.id = id; id != "" {
			rest = append(rest, n)
		}
	}
	return rest, changed, nil
}

// pruned is what an entry becomes without some folders below it, of which it is one
// itself if its path there is empty. An empty id is nothing.
func (r *Repo) pruned(ctx context.Context, n node, folders []string) (ID, error) {
	switch {
	case !n.folder() || len(folders) == 0:
		return n.id, nil
	case slices.Contains(folders, ""):
		return "", nil
	}
	inside, err := r.nodesOf(ctx, n.id)
	if err != nil {
		return "", err
	}
	left, touched, err := r.prune(ctx, inside, folders)
	switch {
	case err != nil || touched && len(left) == 0:
		return "", err
	case !touched:
		return n.id, nil
	}
	return r.makeTree(ctx, left)
}

// below is the rest of those paths that lead into a folder.
func below(paths []string, folder string) []string {
	var out []string
	for _, p := range paths {
		if first, deeper, _ := strings.Cut(p, "/"); first == folder {
			out = append(out, deeper)
		}
	}
	return out
}

// makeTree stores a tree object, unless it is there.
func (r *Repo) makeTree(ctx context.Context, list []node) (ID, error) {
	var raw, lines []byte
	for _, n := range list {
		id, err := hex.DecodeString(string(n.id))
		if err != nil {
			return "", fmt.Errorf("%s: %w", n.name, err)
		}
		kind := "blob"
		switch n.mode {
		case ModeFolder:
			kind = "tree"
		case ModeSubmodule:
			kind = "commit"
		}
		raw = append(fmt.Appendf(raw, "%s %s\x00", n.mode, n.name), id...)
		lines = fmt.Appendf(lines, "%s %s %s\t%s\x00", n.mode, kind, n.id, n.name)
	}
	if len(list) > 0 {
		id := objectID("tree", raw, len(list[0].id))
		if _, err := r.nodesOf(ctx, id); err == nil {
			return id, nil
		}
	}
	id, err := oneID(r.act(ctx, call{args: []string{"mktree", "-z", "--missing"}, stdin: lines}))
	if err != nil {
		return "", fmt.Errorf("store a part of a tree: %w", err)
	}
	return id, nil
}
