package facts

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/git-tdd/git-tdd/gitx"
)

// layout is where things are in a tree: its folders; the repository remembers what is in one.
type layout struct {
	repo    *gitx.Repo
	folders map[string]gitx.ID // by path, the root as "."; the id is empty where the tree has none
}

// layoutOf finds the folders of a tree. Git itself does not write a tree that it would
// refuse to check out, but a tree can be made by other means: such a one is an error.
func layoutOf(ctx context.Context, repo *gitx.Repo, tree gitx.ID) (layout, error) {
	l := layout{repo: repo, folders: map[string]gitx.ID{}}
	return l, l.add(ctx, ".", tree)
}

func (l layout) add(ctx context.Context, dir string, id gitx.ID) error {
	l.folders[dir] = id
	list, err := l.repo.Folder(ctx, id)
	if err != nil {
		return err
	}
	names := make(map[string]bool, len(list))
	for _, e := range list {
		name := path.Join(dir, e.Path)
		switch {
		case gitOwn(e.Path):
			return fmt.Errorf("%q belongs to git itself", name)
		case e.Path == "." || e.Path == ".." || path.Base(name) != e.Path:
			return fmt.Errorf("%q, in %q, is no name of a file", e.Path, dir)
		case names[e.Path]:
			return fmt.Errorf("%q is there twice, perhaps as a file and as a folder", name)
		}
		names[e.Path] = true
		if e.Mode != gitx.ModeFolder {
			continue
		}
		if err := l.add(ctx, name, e.ID); err != nil {
			return err
		}
	}
	return nil
}

// folder reports whether there is a folder at a path.
func (l layout) folder(name string) bool {
	_, ok := l.folders[name]
	return ok
}

// files lists what a folder holds beside folders and submodules.
func (l layout) files(ctx context.Context, dir string) ([]gitx.Entry, error) {
	list, err := l.repo.Folder(ctx, l.folders[dir])
	return slices.DeleteFunc(list, func(e gitx.Entry) bool { return e.Mode == gitx.ModeFolder || e.Mode == gitx.ModeSubmodule }), err
}

// file reports whether there is a file at a path.
func (l layout) file(ctx context.Context, name string) bool {
	list, err := l.files(ctx, path.Dir(name))
	return err == nil && slices.ContainsFunc(list, func(e gitx.Entry) bool { return e.Path == path.Base(name) })
}
