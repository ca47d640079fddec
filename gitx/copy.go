package gitx

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// Copy makes a repository of its own of a tree, in a folder that is not there yet:
// one commit, no remote, no hook, nothing of the user's configuration.
func (r *Repo) Copy(ctx context.Context, tree ID, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make a folder for the copy: %w", err)
	}
	if err := r.export(ctx, tree, dir); err != nil {
		return err
	}
	environ := append(slices.Clone(r.env), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	own, err := Init(ctx, Options{Dir: dir, Environ: environ})
	if err != nil {
		return err
	}
	for _, args := range [][]string{
		{"add", "--all", "--force"},
		{"-c", "user.name=git-tdd", "-c", "user.email=git-tdd@localhost", "commit", "--quiet", "--allow-empty", "--message", "start"},
	} {
		if _, err := own.act(ctx, call{args: args, writes: true}); err != nil {
			return err
		}
	}
	return own.Close()
}

// export writes the files of a tree. A submodule is left out.
func (r *Repo) export(ctx context.Context, tree ID, dir string) error {
	entries, err := r.Entries(ctx, tree)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open the copy: %w", err)
	}
	defer func() { _ = root.Close() }()
	for _, e := range entries {
		if e.Mode == ModeSubmodule {
			continue
		}
		err := root.MkdirAll(path.Dir(e.Path), 0o755)
		if err == nil {
			err = r.PutFile(ctx, root, e.Path, e)
		}
		if err != nil {
			return fmt.Errorf("copy %s: %w", e.Path, err)
		}
	}
	return nil
}

// PutFile writes what an entry of a tree holds, a file or a symbolic link, as a new file of the user's.
func (r *Repo) PutFile(ctx context.Context, root *os.Root, name string, e Entry) error {
	if e.Mode == ModeSymlink {
		target, err := r.Object(ctx, string(e.ID))
		if err != nil {
			return err
		}
		return root.Symlink(string(target.Content), name)
	}
	perm := fs.FileMode(0o600)
	if e.Mode == ModeExecutable {
		perm = 0o700
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	return errors.Join(r.CopyBlob(ctx, e.ID, f), f.Close())
}

// Left lists how the files of a folder differ from a tree, but for those that the
// .gitignore files in it hide. odd are paths with neither a readable file nor the tree's
// own entry. The folder's own repository is not asked: it may have been changed.
func (r *Repo) Left(ctx context.Context, tree ID, dir string) (edits []TreeEdit, odd []string, err error) {
	entries, err := r.Entries(ctx, tree)
	if err != nil {
		return nil, nil, err
	}
	names, err := r.visible(ctx, tree, dir)
	if err != nil {
		return nil, nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("open the copy: %w", err)
	}
	defer func() { _ = root.Close() }()
	w := &worktree{root: root, execBits: true, symlinks: true}
	had, size := map[string]*Entry{}, 0
	for i, e := range entries {
		had[e.Path] = &entries[i]
		names[e.Path] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		have, err := w.look(name)
		if err != nil {
			return nil, nil, err
		}
		e := had[name]
		switch {
		case e != nil && (e.Mode == ModeSubmodule || w.form(have, e) == exact):
		case have.kind == regular && size+len(have.content) <= wholefile.Most:
			size += len(have.content)
			edits = append(edits, TreeEdit{Path: name, Content: have.content})
		case have.kind == nothing && e != nil:
			edits = append(edits, TreeEdit{Path: name, Delete: true})
		case have.kind != nothing:
			odd = append(odd, name)
		}
	}
	return edits, odd, nil
}

// visible names the files of a folder that git would add to a tree.
func (r *Repo) visible(ctx context.Context, tree ID, dir string) (map[string]bool, error) {
	scratch, err := r.scratch()
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	env := []string{"GIT_INDEX_FILE=" + filepath.Join(scratch, "index")}
	at := []string{"-C", dir, "--git-dir=" + r.GitDir, "--work-tree=" + dir}
	if _, err := r.act(ctx, call{args: append(at, "read-tree", string(tree)), env: env, writes: true}); err != nil {
		return nil, err
	}
	out, err := r.run(ctx, call{args: append(at, "ls-files", "-z", "--others", "--exclude-per-directory=.gitignore"), env: env})
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for name := range strings.SplitSeq(string(out), "\x00") {
		if name = strings.TrimSuffix(name, "/"); name != "" {
			names[name] = true
		}
	}
	return names, nil
}
