package gitx

import (
	"context"
	"fmt"
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

// WorkingTree is one of a repository's working trees.
type WorkingTree struct {
	Dir    string
	Branch string // its name in full; empty if HEAD is detached
}

// WorkingTrees lists the repository's working trees that exist, the main one first.
func (r *Repo) WorkingTrees(ctx context.Context) ([]WorkingTree, error) {
	out, err := r.ask(ctx, "worktree", "list", "--porcelain", "-z")
	if err != nil {
		return nil, err
	}
	var trees []WorkingTree
	for record := range strings.SplitSeq(string(out), "\x00\x00") {
		var w WorkingTree
		here := true
		for line := range strings.SplitSeq(record, "\x00") {
			switch key, value, _ := strings.Cut(line, " "); key {
			case "worktree":
				w.Dir = value
			case "branch":
				w.Branch = value
			case "bare", "prunable":
				here = false
			}
		}
		if here && w.Dir != "" {
			trees = append(trees, w)
		}
	}
	return trees, nil
}

// Tip is the commit at which a branch stands; empty if there is no such branch.
func (r *Repo) Tip(ctx context.Context, branch string) (ID, error) {
	if _, err := r.ask(ctx, "check-ref-format", "--branch", branch); err != nil {
		return "", fmt.Errorf("%q cannot be the name of a branch", branch)
	}
	return oneID(r.find(ctx, "rev-parse", "-q", "--verify", "refs/heads/"+branch))
}

// AddWorkingTree makes a working tree of a branch, from HEAD if there is no such branch yet, in
// a new or empty folder. Git runs the filters of its configuration, so the repository must be
// trusted.
func (r *Repo) AddWorkingTree(ctx context.Context, dir, branch string) error {
	tip, err := r.Tip(ctx, branch)
	if err != nil {
		return err
	}
	args := []string{"worktree", "add", "-q", dir, branch}
	if tip == "" {
		args = []string{"worktree", "add", "-q", "--no-track", "-b", branch, dir, "HEAD"}
	}
	_, err = r.act(ctx, call{args: args, writes: true})
	return err
}

// RemoveWorkingTree takes a working tree away, with all that is in it.
func (r *Repo) RemoveWorkingTree(ctx context.Context, dir string) error {
	_, err := r.act(ctx, call{args: []string{"worktree", "remove", "--force", dir}, writes: true})
	return err
}

// RemoveBranch takes a branch away if it stands at a commit.
func (r *Repo) RemoveBranch(ctx context.Context, branch string, at ID) error {
	_, err := r.act(ctx, call{args: []string{"update-ref", "-d", "refs/heads/" + branch, string(at)}, writes: true})
	return err
}
