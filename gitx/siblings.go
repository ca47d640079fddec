package gitx

import (
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
		return within(Resolved(r.Top), Resolved(dir)) || within(Resolved(dir), Resolved(r.Top))
	})...)
}
