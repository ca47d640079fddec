package gitx

import (
	"context"
	"fmt"
	"strings"
)

// Mentioning lists the files of a tree whose text has one of some words, whole.
// Binary files have none. It costs about as much as reading the tree once.
func (r *Repo) Mentioning(ctx context.Context, tree ID, words ...string) ([]string, error) {
	if tree == "" || len(words) == 0 {
		return nil, nil
	}
	args := []string{"grep", "-l", "-z", "-I", "-F", "-w", "--no-color", "--no-recurse-submodules", "--no-textconv", "--full-name"}
	for _, w := range words {
		args = append(args, "-e", w)
	}
	out, err := r.run(ctx, call{args: append(args, string(tree), "--")})
	if err != nil && exitCode(err) != 1 { // 1: none has
		return nil, fmt.Errorf("search %s for %q: %w", tree, words, err)
	}
	var paths []string
	for name := range strings.SplitSeq(string(out), "\x00") {
		if path, ok := strings.CutPrefix(name, string(tree)+":"); ok {
			paths = append(paths, path)
		}
	}
	return paths, nil
}
