package gitx

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// Main is the root of the main working tree; empty if it is bare or its git directory is elsewhere.
func (r *Repo) Main() string {
	if filepath.Base(r.CommonDir) != ".git" {
		return ""
	}
	return filepath.Dir(r.CommonDir)
}

// Siblings are the roots of the repository's other working trees that exist.
func (r *Repo) Siblings() []string {
	out := []string{r.Main()}
	for _, record := range wholefile.Matching(r.CommonDir, "worktrees/*/gitdir") {
		raw, _ := wholefile.Read(record) // one that is being removed is none
		link := strings.TrimSuffix(string(raw), "\n")
		switch {
		case filepath.IsAbs(link):
			out = append(out, filepath.Dir(link))
		case link != "": // worktree.useRelativePaths
			out = append(out, filepath.Join(filepath.Dir(record), filepath.Dir(link)))
		}
	}
	return slices.DeleteFunc(out, func(dir string) bool { return dir == r.Top || !isDir(dir) })
}

// Places are the roots of the existing working trees, this one first, without nested ones.
func (r *Repo) Places() []string {
	return append([]string{r.Top}, slices.DeleteFunc(r.Siblings(), func(dir string) bool {
		return Within(Resolved(r.Top), Resolved(dir)) || Within(Resolved(dir), Resolved(r.Top))
	})...)
}

// OpenServed opens a repository that others push to, without a working tree. In a hook for a push
// it sees what is pushed: those objects lie in quarantine, in a folder that the environment names.
// What is written meanwhile goes there too, and is gone if the push is refused.
func OpenServed(ctx context.Context, opts Options) (*Repo, error) {
	r, err := unplaced(opts)
	if err != nil {
		return nil, err
	}
	r.env = append(r.env, chosen(opts.Environ, "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH")...)
	if _, err := r.gitDirs(ctx, chosen(opts.Environ, "GIT_DIR")); err != nil {
		return nil, err
	}
	r.dir, r.explicit = r.GitDir, true
	return r, nil
}

// Place is where a person finds the repository: its working tree, or else its git directory.
func (r *Repo) Place() string {
	if r.Top == "" {
		return r.GitDir
	}
	return r.Top
}
