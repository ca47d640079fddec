package adopt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
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

// within is the folder as a path of the repository; empty if it is the whole of it, or the
// repository is elsewhere.
func (p *Place) within() string {
	rel, err := filepath.Rel(gitx.Resolved(p.Repo.Top), gitx.Resolved(p.Dir))
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

func missing(name string) bool {
	_, err := os.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

// Elsewhere says why tests may show something else in the working tree than where a tree
// is measured: build output beside the sources, which is in no tree, and a copy of the
// project among its dependencies, which no change of the tree reaches.
func Elsewhere(ctx context.Context, repo *gitx.Repo, tree gitx.ID, projects testrun.Projects, w config.Workbench) ([]string, error) {
	entries, err := repo.Entries(ctx, tree)
	if err != nil || repo.Top == "" {
		return nil, err
	}
	at := func(name string) string { return filepath.Join(repo.Top, filepath.FromSlash(name)) }
	var out []string
	for _, p := range projects {
		in := p.Language.Installation
		if file := unbuilt(repo.Top, entries, p); file != "" && len(w.SetupCmd) == 0 && !slices.Contains(w.Link, file) {
			out = append(out, fmt.Sprintf("%s is build output that git ignores, so it is not there where a tree is measured, and what needs it is skipped or fails; "+
				"build it for each tree, for instance with ci.check_cmd: [%s]", file, strings.Join(in.Compiles, ", ")))
		}
		if in.Copied == nil {
			continue
		}
		for _, name := range p.Language.Link {
			if found := in.Copied(at(p.Path(name)), at(p.Dir)); found != "" {
				out = append(out, found+" is a copy of this project: tests that import it do not see what a commit changes; install the project editable (pip install -e .)")
			}
		}
	}
	return out, nil
}

// buildsPattern finds, in a command, that it builds by itself what it needs.
var buildsPattern = lazyregexp.New(`build|compile|develop`)

// unbuilt is a file of the working tree that a build put beside the sources of a project
// whose commands do not build it; empty if there is none.
func unbuilt(top string, entries []gitx.Entry, p testrun.Project) string {
	in := p.Language.Installation
	if len(in.Compiled) == 0 || buildsPattern.MatchString(strings.Join(slices.Concat(p.Commands.Check, p.Commands.Test), " ")) {
		return ""
	}
	known := map[string]bool{}
	var folders []string
	for _, e := range entries {
		known[e.Path] = true
		if within, ok := p.Within(e.Path); ok && p.Language.Kind(within) == gates.KindSource {
			folders = append(folders, path.Dir(e.Path))
		}
	}
	for _, dir := range slices.Compact(folders) {
		files, _ := os.ReadDir(filepath.Join(top, filepath.FromSlash(dir))) // a folder that is not checked out holds nothing
		for _, f := range files {
			built := slices.ContainsFunc(in.Compiled, func(pattern string) bool { return doublestar.MatchUnvalidated(pattern, f.Name()) })
			if name := path.Join(dir, f.Name()); built && !known[name] {
				return name
			}
		}
	}
	return ""
}
