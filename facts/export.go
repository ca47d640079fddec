package facts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"

	"github.com/git-tdd/git-tdd/gitx"
)

// content is what a workbench should hold.
type content struct {
	tree gitx.ID
	// links are what of outside is seen in the workbench: where, by its path there.
	links   func(*exporter) map[string]string
	mounted bool     // links are mounted: there is a place for each instead
	made    []string // paths that the setup command made
}

// Export makes the workbench hold a tree and nothing else except build output,
// links and what the setup command made. Files that have not been touched since
// we wrote them stay as they are.
func (w *workbench) Export(ctx context.Context, repo *gitx.Repo, want content) error {
	entries, err := repo.Entries(ctx, want.tree)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(w.Root)
	if err != nil {
		return fmt.Errorf("open the workbench: %w", err)
	}
	defer func() { _ = root.Close() }()
	x := exporter{
		repo: repo, root: root, old: loadManifest(w.manifest()), now: manifest{}, want: want,
		files: map[string]bool{}, folders: map[string]bool{".": true}, there: map[string]stat{},
	}
	if err := x.plan(entries); err != nil {
		return fmt.Errorf("tree %s is not exported: %w", want.tree.Short(), err)
	}
	for _, kept := range w.lang.Keep {
		for dir := path.Dir(kept); !x.folders[dir] && !x.files[dir]; dir = path.Dir(dir) {
			x.folders[dir] = true
		}
	}
	if err := x.sweep(".", func(dir, name string) bool { return w.output(x.files, dir, name) }); err != nil {
		return fmt.Errorf("clear the workbench: %w", err)
	}
	for _, e := range entries {
		if err := x.export(ctx, e); err != nil {
			return err
		}
	}
	if w.links, err = x.link(); err != nil {
		return err
	}
	if maps.Equal(x.now, x.old) {
		return nil
	}
	return x.now.save(w.manifest())
}

// output reports whether a folder holds build output: it has such a name and is
// beside the file that makes its parent a project. In any other place a
// compiler might take its files for sources.
func (w *workbench) output(files map[string]bool, dir, name string) bool {
	if slices.Contains(w.lang.Keep, path.Join(dir, name)) {
		return true
	}
	return slices.Contains(w.lang.BuildDirs, name) && slices.ContainsFunc(w.lang.Markers, func(marker string) bool {
		return files[path.Join(dir, marker)]
	})
}

// exporter is one export under way.
type exporter struct {
	repo     *gitx.Repo
	root     *os.Root
	old, now manifest
	want     content
	files    map[string]bool
	folders  map[string]bool
	there    map[string]stat // the files of the tree that are in place
}

// plan records what belongs to the tree. Git itself does not write a tree that
// it would refuse to check out, but a tree can be made by other means.
func (x *exporter) plan(entries []gitx.Entry) error {
	for _, e := range entries {
		if gitOwn(e.Path) {
			return fmt.Errorf("%q belongs to git itself", e.Path)
		}
		if e.Mode == gitx.ModeSubmodule {
			continue
		}
		x.files[e.Path] = true
		for dir := path.Dir(e.Path); !x.folders[dir]; dir = path.Dir(dir) {
			x.folders[dir] = true
		}
	}
	for name := range x.files {
		if x.folders[name] {
			return fmt.Errorf("%q is a file and a folder at once", name)
		}
	}
	return nil
}

// sweep removes what does not belong to the tree: files of the previous tree,
// and whatever a run left behind.
func (x *exporter) sweep(dir string, output func(dir, name string) bool) error {
	entries, err := x.list(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir() && x.folders[name]:
			err = x.sweep(name, output)
		case e.IsDir() && output(dir, e.Name()), !x.folders[name] && slices.Contains(x.want.made, name):
		case !e.IsDir() && x.files[name]:
			x.note(name, e)
		default:
			err = remove(x.root, name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// note keeps the file system's record of a file that is in place.
func (x *exporter) note(name string, e fs.DirEntry) {
	if fi, err := e.Info(); err == nil {
		x.there[name] = statOf(fi)
	}
}

// list reads a folder, even if a run has removed the permission to.
func (x *exporter) list(dir string) ([]fs.DirEntry, error) {
	fi, err := x.root.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if fi.Mode().Perm()&0o700 != 0o700 {
		if err := x.root.Chmod(dir, 0o700); err != nil {
			return nil, err
		}
	}
	return fs.ReadDir(x.root.FS(), dir)
}

// export puts one entry in place unless it is there already, untouched.
func (x *exporter) export(ctx context.Context, e gitx.Entry) error {
	if e.Mode == gitx.ModeSubmodule {
		return nil
	}
	was, there := x.untouched(e)
	if there && was.Checked {
		x.now[e.Path] = was
		return nil
	}
	obj, err := x.repo.Object(ctx, string(e.ID))
	if err != nil {
		return err
	}
	if there && x.holds(e, obj.Content) {
		was.Checked = was.Stat.CTime != 0 // without it, only the content can tell
		x.now[e.Path] = was
		return nil
	}
	if err := x.write(e, obj.Content); err != nil {
		return fmt.Errorf("export %s: %w", e.Path, err)
	}
	fi, err := x.root.Lstat(e.Path)
	if err != nil {
		return fmt.Errorf("export %s: %w", e.Path, err)
	}
	x.now[e.Path] = exported{ID: e.ID, Mode: e.Mode, Stat: statOf(fi)}
	return nil
}

// untouched finds the record of an entry; ok if the file system shows that the
// file is in place, unchanged.
func (x *exporter) untouched(e gitx.Entry) (exported, bool) {
	was, ok := x.old[e.Path]
	now, there := x.there[e.Path]
	return was, ok && there && was.ID == e.ID && was.Mode == e.Mode && was.Stat == now
}

// holds compares the file of an entry with what it should be.
func (x *exporter) holds(e gitx.Entry, content []byte) bool {
	if e.Mode == gitx.ModeSymlink {
		target, err := x.root.Readlink(e.Path)
		return err == nil && target == string(content)
	}
	have, err := x.root.ReadFile(e.Path)
	return err == nil && bytes.Equal(have, content)
}

func (x *exporter) write(e gitx.Entry, content []byte) error {
	if err := x.root.MkdirAll(path.Dir(e.Path), 0o700); err != nil {
		return err
	}
	// A new file, never the old inode: a run may hold that open, or have linked it
	// elsewhere.
	if err := remove(x.root, e.Path); err != nil {
		return err
	}
	if e.Mode == gitx.ModeSymlink {
		return x.root.Symlink(string(content), e.Path)
	}
	perm := fs.FileMode(0o600)
	if e.Mode == gitx.ModeExecutable {
		perm = 0o700
	}
	f, err := x.root.OpenFile(e.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}

// link makes what is outside visible, and says what that was.
func (x *exporter) link() (map[string]string, error) {
	if x.want.links == nil {
		return nil, nil
	}
	links := x.want.links(x)
	for name, target := range links {
		err := x.root.MkdirAll(path.Dir(name), 0o700)
		if err == nil {
			err = remove(x.root, name)
		}
		if err == nil && x.want.mounted {
			err = x.mountpoint(name, target)
		} else if err == nil {
			err = x.root.Symlink(target, name)
		}
		if err != nil {
			return nil, fmt.Errorf("link %s into the workbench: %w", name, err)
		}
	}
	return links, nil
}
