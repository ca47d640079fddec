package facts

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

	"github.com/gofrs/flock"

	"github.com/git-tdd/git-tdd/gitx"
)

// Bench is one workbench: a directory that holds an exported tree and the
// build output of earlier runs.
type Bench struct {
	Root    string // of the exported tree
	Scratch string // temporary files and reports of a run

	dir  string
	lock *flock.Flock
	keep []string // names of folders that hold build output
}

// maxBenches bounds how many runs of one repository measure side by side.
const maxBenches = 64

// takeBench takes the first workbench of a repository that nobody uses.
func takeBench(dirs Dirs, repo *gitx.Repo, keep []string) (*Bench, error) {
	home := filepath.Join(dirs.Cache, "bench", digest("repository", repo.CommonDir)[:16])
	if inside(home, repo.Top) {
		return nil, fmt.Errorf("the cache directory %s lies inside the repository; set XDG_CACHE_HOME to a place outside it", dirs.Cache)
	}
	for n := range maxBenches {
		dir := filepath.Join(home, fmt.Sprint(n))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make a workbench: %w", err)
		}
		lock := flock.New(filepath.Join(dir, "lock"))
		ok, err := lock.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock the workbench %s: %w", dir, err)
		}
		if ok {
			b := &Bench{Root: filepath.Join(dir, "tree"), Scratch: filepath.Join(dir, "scratch"), dir: dir, lock: lock, keep: keep}
			return b, b.prepare()
		}
	}
	return nil, fmt.Errorf("all %d workbenches under %s are in use", maxBenches, home)
}

func inside(name, dir string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}

func (b *Bench) prepare() error {
	for _, dir := range []string{b.Root, b.Scratch} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("make a workbench: %w", err)
		}
	}
	return nil
}

// Close lets others use the workbench. Its content stays.
func (b *Bench) Close() error { return b.lock.Close() }

// Export makes the workbench hold a tree and nothing else but build output and
// links. Files that are there already, untouched since we wrote them, stay as
// they are.
func (b *Bench) Export(ctx context.Context, repo *gitx.Repo, tree gitx.ID, links map[string]string) error {
	entries, err := repo.Entries(ctx, tree)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(b.Root)
	if err != nil {
		return fmt.Errorf("open the workbench: %w", err)
	}
	defer func() { _ = root.Close() }()
	x := exporter{repo: repo, root: root, old: loadManifest(b.manifest()), now: manifest{}, links: links}
	for _, e := range entries {
		x.want(e.Path)
	}
	if err := x.sweep(".", b.keep); err != nil {
		return err
	}
	for _, e := range entries {
		if err := x.export(ctx, e); err != nil {
			return err
		}
	}
	if err := x.link(); err != nil {
		return err
	}
	return x.now.save(b.manifest())
}

func (b *Bench) manifest() string { return filepath.Join(b.dir, "manifest.json") }

// exporter is one export under way.
type exporter struct {
	repo     *gitx.Repo
	root     *os.Root
	old, now manifest
	links    map[string]string // path in the workbench → where it points
	files    map[string]bool
	folders  map[string]bool
}

// want notes that a path belongs to the tree, and so do its folders.
func (x *exporter) want(name string) {
	if x.files == nil {
		x.files, x.folders = map[string]bool{}, map[string]bool{".": true}
	}
	x.files[name] = true
	for dir := path.Dir(name); !x.folders[dir]; dir = path.Dir(dir) {
		x.folders[dir] = true
	}
}

// sweep removes what does not belong to the tree: files of the tree before, and
// whatever a run dropped. Folders of build output stay.
func (x *exporter) sweep(dir string, keep []string) error {
	entries, err := fs.ReadDir(x.root.FS(), dir)
	if err != nil {
		return fmt.Errorf("read the workbench: %w", err)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir() && x.folders[name]:
			if err := x.sweep(name, keep); err != nil {
				return err
			}
		case e.IsDir() && slices.Contains(keep, e.Name()):
		case !e.IsDir() && x.files[name]:
		default:
			if err := x.root.RemoveAll(name); err != nil {
				return fmt.Errorf("clear the workbench: %w", err)
			}
		}
	}
	return nil
}

// export puts one entry in place unless it is there, untouched.
func (x *exporter) export(ctx context.Context, e gitx.Entry) error {
	if e.Mode == gitx.ModeSubmodule {
		return nil
	}
	if was, ok := x.old[e.Path]; ok && was.ID == e.ID && was.Mode == e.Mode {
		if fi, err := x.root.Lstat(e.Path); err == nil && was.Stat == statOf(fi) {
			x.now[e.Path] = was
			return nil
		}
	}
	obj, err := x.repo.Object(ctx, string(e.ID))
	if err != nil {
		return err
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

func (x *exporter) write(e gitx.Entry, content []byte) error {
	if err := x.root.MkdirAll(path.Dir(e.Path), 0o700); err != nil {
		return err
	}
	// A new file, never the old one's inode: what a run holds open or linked
	// elsewhere is not written through.
	if err := x.root.RemoveAll(e.Path); err != nil {
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

// link makes the folders of dependencies visible that git ignores.
func (x *exporter) link() error {
	for name, target := range x.links {
		if x.files[name] || x.folders[name] {
			continue
		}
		if err := x.root.MkdirAll(path.Dir(name), 0o700); err != nil {
			return fmt.Errorf("link %s into the workbench: %w", name, err)
		}
		if err := x.root.RemoveAll(name); err != nil {
			return fmt.Errorf("link %s into the workbench: %w", name, err)
		}
		if err := x.root.Symlink(target, name); err != nil {
			return fmt.Errorf("link %s into the workbench: %w", name, err)
		}
	}
	return nil
}

// Read reads files of the workbench after a command has run there. A file that
// is gone, or is no regular file any more, is left out.
func (b *Bench) Read(paths []string) (map[string][]byte, error) {
	root, err := os.OpenRoot(b.Root)
	if err != nil {
		return nil, fmt.Errorf("open the workbench: %w", err)
	}
	defer func() { _ = root.Close() }()
	out := map[string][]byte{}
	for _, name := range paths {
		fi, err := root.Lstat(name)
		if err != nil || !fi.Mode().IsRegular() {
			continue
		}
		content, err := root.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read %s in the workbench: %w", name, err)
		}
		out[name] = content
	}
	return out, nil
}

// linksOf maps the paths to link to the user's own folders, where they exist.
func linksOf(repo *gitx.Repo, names []string) map[string]string {
	links := map[string]string{}
	for _, name := range names {
		clean := path.Clean(strings.TrimSuffix(name, "/"))
		target := filepath.Join(repo.Top, filepath.FromSlash(clean))
		if _, err := os.Stat(target); err == nil && filepath.IsLocal(clean) {
			links[clean] = target
		}
	}
	return links
}
