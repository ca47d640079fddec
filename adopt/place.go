package adopt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-tdd/git-tdd/gitx"
)

// Place is a folder to be set up, and its repository.
type Place struct {
	Dir   string
	Repo  *gitx.Repo
	Head  gitx.Head
	Empty bool // the folder held nothing but perhaps a git directory

	created []string // what was not there, the innermost folder first
}

// Open opens the repository of a folder. If the folder is empty or missing, both are made.
func Open(ctx context.Context, o gitx.Options) (p *Place, err error) {
	p = &Place{Dir: o.Dir}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.Undo())
		}
	}()
	if err := p.folder(); err != nil {
		return p, err
	}
	if err := p.repository(ctx, o); err != nil {
		return p, err
	}
	if p.Head, err = p.Repo.Head(ctx); err != nil {
		return p, err
	}
	switch {
	case p.Head.Unborn() && !p.Empty:
		return p, unfit("there are files here but no commit; commit what you have (git add, git commit), then run git tdd init again")
	case p.Head.Detached():
		return p, unfit("HEAD is detached; `git switch -c NAME` makes a branch to commit to")
	}
	return p, nil
}

// folder makes the folder if it is missing, and looks into it.
func (p *Place) folder() error {
	for dir := p.Dir; missing(dir); dir = filepath.Dir(dir) {
		p.created = append(p.created, dir)
	}
	if err := os.MkdirAll(p.Dir, 0o755); err != nil { //nolint:gosec // a project's folder, under the user's umask
		return fmt.Errorf("make the folder: %w", err)
	}
	entries, err := os.ReadDir(p.Dir)
	if err != nil {
		return fmt.Errorf("read the folder: %w", err)
	}
	p.Empty = len(entries) == 0 || len(entries) == 1 && entries[0].Name() == ".git"
	return nil
}

// repository opens the repository, or makes one for an empty folder, inside another repository too.
func (p *Place) repository(ctx context.Context, o gitx.Options) (err error) {
	inside := filepath.Join(p.Dir, ".git")
	p.Repo, err = gitx.Open(ctx, o)
	switch {
	case errors.Is(err, gitx.ErrNotRepository) && !p.Empty:
		return unfit(p.Dir + " is no git repository and not empty; run git init and commit what you have first")
	case err == nil && p.Empty && missing(inside):
		_ = p.Repo.Close()
	case !errors.Is(err, gitx.ErrNotRepository):
		return err
	}
	if len(p.created) == 0 {
		p.created = []string{inside}
	}
	p.Repo, err = gitx.Init(ctx, o)
	return err
}

// Undo removes what was made, except folders above that others have put something into:
// there is no repository any more. After the first commit there is nothing to undo.
func (p *Place) Undo() error {
	if len(p.created) > 0 {
		p.Repo = nil
	}
	for _, dir := range p.created {
		if dir != p.Dir && filepath.Dir(dir) != p.Dir {
			_ = os.Remove(dir) // fails if it is not empty
		} else if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("remove what was made: %w", err)
		}
	}
	return nil
}

// within is the folder as a path of the repository; empty if it is the whole of it.
func (p *Place) within() (string, error) {
	dir, err := filepath.EvalSymlinks(p.Dir)
	top, err2 := filepath.EvalSymlinks(p.Repo.Top)
	if err = errors.Join(err, err2); err != nil {
		return "", fmt.Errorf("read the folder: %w", err)
	}
	rel, err := filepath.Rel(top, dir)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return "", nil //nolint:nilerr // the repository is elsewhere
	}
	return filepath.ToSlash(rel), nil
}

func missing(name string) bool {
	_, err := os.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}
