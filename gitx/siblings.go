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
	for _, record := range matches(r.CommonDir, "worktrees/*/gitdir") {
		raw, _ := wholefile.Read(record) // one that is being removed is none
		if link := strings.TrimSuffix(string(raw), "\n"); filepath.IsAbs(link) {
			out = append(out, filepath.Dir(link))
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

// WorkingTrees are the roots of the repository's working trees that exist, the main one first.
func (r *Repo) WorkingTrees(ctx context.Context) ([]string, error) {
	out, err := r.ask(ctx, "worktree", "list", "--porcelain", "-z")
	if err != nil {
		return nil, err
	}
	var dirs []string
	for record := range strings.SplitSeq(string(out), "\x00\x00") {
		lines := strings.Split(record, "\x00")
		dir, named := strings.CutPrefix(lines[0], "worktree ")
		missing := slices.ContainsFunc(lines, func(line string) bool {
			key, _, _ := strings.Cut(line, " ")
			return key == "bare" || key == "prunable"
		})
		if named && !missing {
			dirs = append(dirs, dir)
		}
	}
	return dirs, nil
}
