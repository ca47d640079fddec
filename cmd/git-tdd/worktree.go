package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/gitx"
)

// goTo makes the program work in the working tree of a branch, for as long as do takes.
// It is made where there is none: beside the main one, from HEAD if the branch is new
// as well. What was made goes again where nothing could be done there.
func (p *program) goTo(ctx context.Context, branch string, do func() error) error {
	repo, err := p.open(ctx)
	if err != nil {
		return err
	}
	trees, err := repo.WorkingTrees(ctx)
	if err != nil {
		return err
	}
	for _, w := range trees {
		if w.Branch == "refs/heads/"+branch {
			p.goInto(w.Dir)
			return do()
		}
	}
	tip, begin, err := beginning(ctx, repo, branch)
	if err != nil {
		return err
	}
	dir := besideOf(repo, branch)
	if found, err := os.ReadDir(dir); err == nil && len(found) > 0 || err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("%s is there already, and is no working tree of %s; move it away, or make one elsewhere (git worktree add DIR %s) and run this again", dir, quote(branch), branch)
	}
	if err := p.mayRun(ctx, repo, begin); err != nil {
		return err
	}
	if err := repo.AddWorkingTree(ctx, dir, branch); err != nil {
		return err
	}
	p.err.printf("the steps go to the branch %s, in %s; bring them home with `git merge --no-ff %s`, then `git worktree remove %s`\n", branch, dir, branch, dir)
	home := p.dir
	p.goInto(dir)
	err = do()
	if now, failed := repo.Tip(ctx, branch); exitCode(ctx, err) != exitUsage || failed != nil || now != begin {
		return err
	}
	p.goInto(home)
	if tip != "" {
		begin = "" // the branch was there before
	}
	p.err.printf("nothing was done in %s, and it is not there any more\n", dir)
	return errors.Join(err, unmake(ctx, repo, dir, branch, begin))
}

// unmake takes a working tree away, and its branch if that is at a commit.
func unmake(ctx context.Context, repo *gitx.Repo, dir, branch string, at gitx.ID) error {
	if err := repo.RemoveWorkingTree(ctx, dir); err != nil || at == "" {
		return err
	}
	return repo.RemoveBranch(ctx, branch, at)
}

// beginning is the commit of a branch, if there is one, and the one to begin at: that, or HEAD.
func beginning(ctx context.Context, repo *gitx.Repo, branch string) (tip, begin gitx.ID, err error) {
	head, err := repo.Head(ctx)
	if err != nil {
		return "", "", err
	}
	if head.Unborn() {
		return "", "", fmt.Errorf("there is no commit to begin %s at; make the first one (git tdd init), then run this again", quote(branch))
	}
	tip, err = repo.Tip(ctx, branch)
	return tip, cmp.Or(tip, head.Commit), err
}

// mayRun says why nothing of a commit may run: its settings cannot be read, or are not approved.
func (p *program) mayRun(ctx context.Context, repo *gitx.Repo, commit gitx.ID) error {
	c, err := repo.Commit(ctx, string(commit))
	if err != nil {
		return err
	}
	project, err := p.projectOf(ctx, c.Tree)
	if err != nil {
		return err
	}
	return cmp.Or(p.permit(repo)(project), p.permitPrompts(repo)(project))
}

// goInto makes the program work in another folder.
func (p *program) goInto(dir string) { p.dir, p.repo = dir, nil }

// besideOf is where the working tree of a branch goes: beside the main one, or beside a
// bare repository, named after both.
func besideOf(repo *gitx.Repo, branch string) string {
	home := repo.Main()
	if home == "" {
		home = strings.TrimSuffix(repo.CommonDir, ".git")
	}
	return filepath.Join(filepath.Dir(home), filepath.Base(home)+"-"+strings.ReplaceAll(branch, "/", "-"))
}

// placed is the status of a working tree.
type placed struct {
	Worktree string `json:"worktree"`
	// Busy is what whoever takes steps there says of itself.
	Busy string `json:"busy,omitempty"`
	status
}

// everywhere is the status of every working tree of the repository.
func (p *program) everywhere(ctx context.Context) ([]placed, error) {
	repo, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	trees, err := repo.WorkingTrees(ctx)
	if err != nil {
		return nil, err
	}
	var out []placed
	for _, w := range trees {
		p.goInto(w.Dir)
		one := placed{Worktree: w.Dir}
		if one.status, err = p.status(ctx); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			one.Branch, one.Why = strings.TrimPrefix(w.Branch, "refs/heads/"), err.Error()
		} else {
			one.Busy = p.repo.Holder()
		}
		out = append(out, one)
	}
	return out, nil
}

// showEverywhere prints the working trees, one below the other.
func (p *program) showEverywhere(all []placed) {
	for i, one := range all {
		if i > 0 {
			p.out.printf("\n")
		}
		p.out.printf("%s\n", p.out.paint(bold, one.Worktree))
		p.showStatus(one.status)
		if one.Busy != "" {
			p.out.printf("busy   %s\n", one.Busy)
		}
	}
}
