package facts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/sandbox"
)

// content is what a workbench should hold.
type content struct {
	tree gitx.ID
	// links are what of outside is seen in the workbench: where, by its path there.
	links   func(context.Context, layout) map[string]string
	mounted bool     // links are mounted: there is a place for each instead
	made    []string // paths that the setup command made
}

// Export makes the workbench hold a tree and nothing else except build output, links and what
// the setup command made. Files that are as we wrote them stay.
func (w *workbench) Export(ctx context.Context, repo *gitx.Repo, want content) error {
	tree, err := layoutOf(ctx, repo, want.tree)
	if err != nil {
		return fmt.Errorf("tree %s is not exported: %w", want.tree.Short(), err)
	}
	root, err := os.OpenRoot(w.Root)
	if err != nil {
		return fmt.Errorf("open the workbench: %w", err)
	}
	defer func() { _ = root.Close() }()
	for _, kept := range w.lang.Keep {
		for dir := path.Dir(kept); !tree.folder(dir) && !tree.file(ctx, dir); dir = path.Dir(dir) {
			tree.folders[dir] = "" // the way to it
		}
	}
	x := exporter{workbench: w, repo: repo, root: root, tree: tree, old: loadManifest(w.manifest()), now: manifest{}, want: want}
	if err := x.folder(ctx, "."); err != nil {
		return err
	}
	if w.links, err = x.link(ctx); err != nil {
		return err
	}
	if !x.changed && len(x.now) == len(x.old) {
		return nil
	}
	return x.now.save(w.manifest())
}

// output reports whether a folder holds build output: it has such a name and is beside a marker
// of a project. Elsewhere a compiler might take its files for sources.
func (w *workbench) output(beside []gitx.Entry, dir, name string) bool {
	if slices.Contains(w.lang.Keep, path.Join(dir, name)) {
		return true
	}
	return slices.Contains(w.lang.BuildDirs, name) && slices.ContainsFunc(beside, func(e gitx.Entry) bool {
		return slices.Contains(w.lang.Markers, e.Path)
	})
}

// exporter is one export under way. It looks at one folder after another, and keeps
// nothing of one that it has left but its records.
type exporter struct {
	workbench *workbench
	repo      *gitx.Repo
	root      *os.Root
	tree      layout
	old, now  manifest
	changed   bool // now is not what old says
	want      content
}

// folder makes a folder, and those below it, hold what the tree has there.
func (x *exporter) folder(ctx context.Context, dir string) error {
	files, err := x.tree.files(ctx, dir)
	if err != nil {
		return err
	}
	there, below, err := x.sweep(dir, files)
	if err != nil {
		return fmt.Errorf("clear the workbench: %w", err)
	}
	if err := x.fill(ctx, dir, files, there); err != nil {
		return err
	}
	all, err := x.repo.Folder(ctx, x.tree.folders[dir])
	if err != nil {
		return err
	}
	for _, e := range all {
		name := path.Join(dir, e.Path)
		if e.Mode != gitx.ModeFolder || slices.Contains(below, name) {
			continue
		}
		if err := x.root.Mkdir(name, 0o700); err != nil {
			return fmt.Errorf("export %s: %w", name, err)
		}
		below = append(below, name)
	}
	for _, name := range below {
		if err := x.folder(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// sweep removes from a folder what does not belong to the tree. It returns what the file system
// says of the files that are in place, by name, and the folders that are.
func (x *exporter) sweep(dir string, files []gitx.Entry) (there map[string]stat, below []string, err error) {
	entries, err := x.list(dir)
	if err != nil {
		return nil, nil, err
	}
	there = make(map[string]stat, len(files))
	for _, e := range files {
		there[e.Path] = stat{}
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		_, file := there[e.Name()]
		folder := x.tree.folder(name)
		switch {
		case e.IsDir() && folder:
			below = append(below, name)
		case e.IsDir() && x.workbench.output(files, dir, e.Name()), !folder && slices.Contains(x.want.made, name):
		case !e.IsDir() && file:
			if fi, err := e.Info(); err == nil {
				there[e.Name()] = statOf(fi)
			}
		default:
			err = remove(x.root, name)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return there, below, nil
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
	f, err := x.root.Open(dir)
	if err != nil {
		return nil, err
	}
	entries, err := f.ReadDir(-1)
	return entries, errors.Join(err, f.Close())
}

// fill puts the files of a folder in place, but for those that are there, untouched.
func (x *exporter) fill(ctx context.Context, dir string, files []gitx.Entry, there map[string]stat) error {
	if len(files) == 0 {
		return nil
	}
	old, now := x.old[dir], make(map[string]exported, len(files))
	x.now[dir] = now
	x.changed = x.changed || len(old) != len(files)
	for _, e := range files {
		name, was := path.Join(dir, e.Path), old[e.Path]
		untouched := was.ID == e.ID && was.Mode == e.Mode && was.Stat == there[e.Path]
		if now[e.Path] = was; untouched && was.Checked {
			continue
		}
		x.changed = true
		if untouched && x.holds(name, e, was.Stat) {
			was.Checked = was.Stat.CTime != 0 // without it, only the content can tell
			now[e.Path] = was
			continue
		}
		wrote, err := x.export(ctx, name, e)
		if err != nil {
			return fmt.Errorf("export %s: %w", name, err)
		}
		now[e.Path] = wrote
	}
	return nil
}

// holds compares a file with what it should be.
func (x *exporter) holds(name string, e gitx.Entry, s stat) bool {
	var have io.Reader
	if e.Mode == gitx.ModeSymlink {
		target, err := x.root.Readlink(name)
		if err != nil {
			return false
		}
		have = strings.NewReader(target)
	} else {
		f, err := x.root.Open(name)
		if err != nil {
			return false
		}
		defer func() { _ = f.Close() }()
		have = f
	}
	id, err := gitx.BlobID(have, int64(s.Size), e.ID) //nolint:gosec // the size of a file
	return err == nil && id == e.ID
}

// export writes a file.
func (x *exporter) export(ctx context.Context, name string, e gitx.Entry) (exported, error) {
	// A new file, never the old inode: a run may hold that open, or have linked it elsewhere.
	err := remove(x.root, name)
	if err == nil {
		err = x.repo.PutFile(ctx, x.root, name, e)
	}
	if err != nil {
		return exported{}, err
	}
	fi, err := x.root.Lstat(name)
	if err != nil {
		return exported{}, err
	}
	return exported{ID: e.ID, Mode: e.Mode, Stat: statOf(fi)}, nil
}

// link makes what is outside visible, and says what that was.
func (x *exporter) link(ctx context.Context) (map[string]string, error) {
	if x.want.links == nil {
		return nil, nil
	}
	links := x.want.links(ctx, x.tree)
	for name, target := range links {
		err := x.root.MkdirAll(path.Dir(name), 0o700)
		if err == nil {
			err = remove(x.root, name)
		}
		if err == nil && x.want.mounted {
			err = sandbox.Mountpoint(x.root, name, target)
		} else if err == nil {
			err = x.root.Symlink(target, name)
		}
		if err != nil {
			return nil, fmt.Errorf("link %s into the workbench: %w", name, err)
		}
	}
	return links, nil
}
