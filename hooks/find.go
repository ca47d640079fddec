package hooks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gitx"
)

// names are the hooks that see a commit come into being or leave the machine.
func names() []string {
	return []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-merge-commit", "pre-push"}
}

// Hook is one hook of a repository.
type Hook struct {
	Name       string
	Path       string
	Executable bool
}

// Find lists the hooks of a repository that concern commits, in the order in
// which git runs them.
func Find(ctx context.Context, repo *gitx.Repo) ([]Hook, error) {
	dir, err := repo.HooksDir(ctx)
	if err != nil {
		return nil, err
	}
	var found []Hook
	for _, name := range names() {
		path := filepath.Join(dir, name)
		fi, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, fmt.Errorf("look at the hook %s: %w", name, err)
		}
		found = append(found, Hook{Name: name, Path: path, Executable: fi.Mode()&0o111 != 0})
	}
	return found, nil
}

// Describe says in words which hooks there are.
func Describe(found []Hook) string {
	var list []string
	for _, h := range found {
		list = append(list, h.Name)
	}
	if len(list) == 0 {
		return "none; people's commits are not guarded here, `git tdd verify` judges them afterwards"
	}
	slices.Sort(list)
	return "there are: " + strings.Join(list, ", ")
}
