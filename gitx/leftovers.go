package gitx

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Leftover is something that a crash has left in a git directory.
type Leftover struct {
	Path string
	What string
	// Ours says that Recover takes it away. Everything else is for its owner.
	Ours bool
}

// lockAge is the age from which a lock is named: no git holds one that long
// without waiting for a person.
const lockAge = 10 * time.Second

// Leftovers lists what crashes have left behind: abandoned locks, half-registered working trees
// (git's own fsck and gc refuse such a repository), temporary folders. It changes nothing.
func (r *Repo) Leftovers() ([]Leftover, error) {
	locks, err := r.locks()
	all := append(locks, r.halfMade()...)
	for _, dir := range r.oldScratch() {
		all = append(all, Leftover{Path: dir, What: "a temporary folder of a killed git-tdd", Ours: true})
	}
	return all, err
}

// scratchAge is the age from which a temporary folder counts as left behind: no
// tree takes that long to build.
const scratchAge = time.Hour

// oldScratch lists the temporary folders that killed runs left behind.
func (r *Repo) oldScratch() []string {
	return slices.DeleteFunc(matches(r.StateDir(), "tmp-*"), func(dir string) bool { return !old(dir, scratchAge) })
}

// old reports whether something has not been touched for a while.
func old(name string, age time.Duration) bool {
	fi, err := os.Lstat(name)
	return err == nil && time.Since(fi.ModTime()) >= age
}

// locks lists the locks that are older than any command holds one, where no git is running.
func (r *Repo) locks() (found []Leftover, err error) {
	names := matches(r.GitDir, "*.lock")
	if r.CommonDir != r.GitDir {
		names = append(names, filepath.Join(r.CommonDir, "packed-refs.lock"), filepath.Join(r.CommonDir, "config.lock"))
	}
	err = filepath.WalkDir(filepath.Join(r.CommonDir, "refs"), func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".lock") {
			names = append(names, name)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) { // refs are kept otherwise
		err = nil
	}
	for _, name := range names {
		if old(name, lockAge) && !r.liveGit() {
			ours := strings.HasPrefix(name, filepath.Join(r.CommonDir, "refs", "tdd")+string(filepath.Separator))
			found = append(found, Leftover{Path: name, What: "a lock that no git holds any more", Ours: ours})
		}
	}
	return found, err
}

// halfMade lists the working trees whose registration a crash has cut off.
func (r *Repo) halfMade() (found []Leftover) {
	for _, dir := range matches(r.CommonDir, "worktrees/*") {
		for _, name := range []string{"commondir", "gitdir", "HEAD"} {
			if fi, err := os.Stat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) || err == nil && fi.Size() == 0 {
				found = append(found, Leftover{Path: dir, What: "a half-made working tree: its file " + name + " is missing or empty"})
				break
			}
		}
	}
	return found
}
