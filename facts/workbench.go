package facts

import (
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
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
)

// workbench is a directory that holds an exported tree and the build output of earlier runs.
type workbench struct {
	Root    string // of the exported tree
	Scratch string // temporary files and reports of a run

	dir   string
	lock  *flock.Flock
	lang  testrun.Language
	links map[string]string // what of outside is seen in the tree that was exported last
}

// maxWorkbenches limits how many runs of one repository measure in parallel.
const maxWorkbenches = 64

// takeWorkbench takes the first workbench of a repository that is not in use.
func takeWorkbench(dirs Dirs, repo *gitx.Repo, folder string, lang testrun.Language) (*workbench, error) {
	of := []string{repo.CommonDir}
	if folder != "" {
		of = append(of, folder) // what one project built is of no use to another
	}
	home := filepath.Join(dirs.Cache, "bench", digest("repository", of...)[:16])
	if repo.Contains(home) {
		return nil, fmt.Errorf("the cache directory %s lies inside the repository; set XDG_CACHE_HOME to a place outside it", dirs.Cache)
	}
	for n := range maxWorkbenches {
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
			w := &workbench{Root: filepath.Join(dir, "tree"), Scratch: filepath.Join(dir, "scratch"), dir: dir, lock: lock, lang: lang}
			return w, w.prepare()
		}
	}
	return nil, fmt.Errorf("all %d workbenches under %s are in use", maxWorkbenches, home)
}

func (w *workbench) prepare() error {
	for _, dir := range []string{w.Root, w.Scratch} {
		if fi, err := os.Lstat(dir); err == nil && !fi.IsDir() {
			if err := os.Remove(dir); err != nil {
				return fmt.Errorf("clear a workbench: %w", err)
			}
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("make a workbench: %w", err)
		}
	}
	return nil
}

// clear removes what earlier processes left: a test's changes to build output would decide what is measured.
func (w *workbench) clear() error {
	for _, name := range []string{w.Root, w.builds(), w.manifest(), w.preparation()} {
		if err := testrun.RemoveAll(name); err != nil {
			return fmt.Errorf("clear a workbench: %w", err)
		}
	}
	return w.prepare()
}

// Close releases the workbench and clears its scratch; the tree and build output stay.
func (w *workbench) Close() error { return errors.Join(testrun.Clear(w.Scratch), w.lock.Close()) }

func (w *workbench) manifest() string { return filepath.Join(w.dir, "manifest") }

// Read reads files of the workbench after a command has run there; only those that are regular files.
func (w *workbench) Read(paths []string) (map[string][]byte, error) {
	root, err := os.OpenRoot(w.Root)
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
		content, err := wholefile.ReadIn(root, name)
		if err != nil {
			return nil, fmt.Errorf("read %s in the workbench: %w", name, err)
		}
		out[name] = content
	}
	return out, nil
}

// linksOf maps the paths to link to the folders of the working tree, or else of the main one,
// that exist. What belongs to git is never linked: code under test must not reach it.
func linksOf(repo *gitx.Repo, names []string) map[string]string {
	links := map[string]string{}
	for _, name := range names {
		clean := path.Clean(strings.TrimSuffix(name, "/"))
		if !filepath.IsLocal(clean) || gitOwn(clean) {
			continue
		}
		for _, top := range []string{repo.Top, repo.Main()} {
			target := filepath.Join(top, filepath.FromSlash(clean))
			if _, err := os.Stat(target); err == nil && repo.Top != "" && top != "" {
				links[clean] = target
				break
			}
		}
	}
	return links
}

// gitOwn reports whether a path leads through a git directory. Git refuses to
// store such a path, but a tree can be made by other means.
func gitOwn(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return strings.EqualFold(part, ".git") })
}

// remove deletes what a run left behind, even without permission to, as module caches have it.
func remove(root *os.Root, name string) error {
	err := root.RemoveAll(name)
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	if err := fs.WalkDir(root.FS(), name, func(dir string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			return root.Chmod(dir, 0o700)
		}
		return nil
	}); err != nil {
		return err
	}
	return root.RemoveAll(name)
}
